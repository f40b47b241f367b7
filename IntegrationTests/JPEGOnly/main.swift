import LivePhotoJPEG
print("yes")
