@main
struct LivePhotoCommand {
  static func main() {}
}
