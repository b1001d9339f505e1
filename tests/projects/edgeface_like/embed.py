import torch
from dataset import AlignedFaces
from torch.utils.data import DataLoader

device = torch.device("cuda:0" if torch.cuda.is_available() else "cpu")
model = torch.hub.load("edgeface", "edgeface_xs", source="local").to(device).eval()
loader = DataLoader(AlignedFaces("faces"), batch_size=32, num_workers=4)

embeddings = []
with torch.no_grad():
    for faces in loader:
        embeddings.append(model(faces.to(device)).cpu())
torch.save(torch.cat(embeddings), "embeddings.pt")
