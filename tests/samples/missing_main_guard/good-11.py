from ultralytics import YOLO

m = YOLO("a.pt")
m.train(data="c.yaml", workers=0)
