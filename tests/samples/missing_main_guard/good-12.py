from ultralytics import YOLO

m = YOLO("a.pt")
m.predict("a.jpg")
