/// The name of a plugin that a project is made for, and the words that a template has in its place.
struct ProjectName {
    let text: String

    /// Nil for what cannot be a plugin's name, and for names that the agent has itself.
    init?(_ text: String) {
        let isFitting = text.utf8.allSatisfy {
            (0x61...0x7A).contains($0) || (0x30...0x39).contains($0) || $0 == 0x5F
        }
        guard (1...32).contains(text.utf8.count), isFitting, let first = text.utf8.first, first >= 0x61 else {
            return nil
        }
        guard !["agent", "exec", "sonde"].contains(text) else { return nil }
        self.text = text
    }

    /// As types are spelled: `round_trip` is `RoundTrip`.
    var typeName: String {
        text.split(separator: "_").map { $0.prefix(1).uppercased() + $0.dropFirst() }.joined()
    }

    /// As codes of errors begin, which have 23 bytes in all.
    var errorPrefix: String { text.prefix(19).uppercased() }

    /// What replaces each word of a template, which is a project for an agent installed below `/usr`.
    ///
    /// The first word that fits is replaced.
    func words(folder: String, prefix: String) -> [(word: String, replacement: String)] {
        [
            ("/opt/newthing", folder), ("/usr/bin/sonde", "\(prefix)/bin/sonde"),
            ("/usr/lib/pkgconfig", "\(prefix)/lib/pkgconfig"), ("/usr/share/sonde", "\(prefix)/share/sonde"),
            ("newThing", lowerTypeName), ("NewThing", typeName), ("NEWTHING", errorPrefix), ("newthing", text),
        ]
    }

    private var lowerTypeName: String { typeName.prefix(1).lowercased() + typeName.dropFirst() }
}
