/// What stands on a terminal after it has been sent a text: the part of ECMA-48 that full-screen views use.
struct ScreenText {
    private var cells: [[Character]]
    private var (row, column) = (0, 0)
    /// Control sequences that are none of those.
    private(set) var strangers: [String] = []
    /// Whether the alternate screen is shown.
    private(set) var isAlternate = false
    /// Whether the cursor is shown.
    private(set) var hasCursor = true
    /// How many sequences have chosen a color.
    private(set) var colorCount = 0

    init(_ text: String, rows: Int = 24, columns: Int = 80) {
        cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
        var rest = text.unicodeScalars[...]
        while let scalar = rest.popFirst() {
            switch scalar {
            case "\u{1b}": escape(&rest)
            case "\r": column = 0
            case "\n": row = min(rows - 1, row + 1)
            default: put(Character(scalar))
            }
        }
    }

    /// The lines, without spaces at their ends.
    var lines: [String] {
        cells.map { row in
            var row = row
            while row.last == " " { row.removeLast() }
            return String(row)
        }
    }

    var text: String { lines.map { "\($0)\n" }.joined() }

    private mutating func put(_ character: Character) {
        if character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
            strangers.append("\(character.unicodeScalars.map(\.value))")
        } else if cells.indices.contains(row), cells[row].indices.contains(column) {
            cells[row][column] = character
            column += 1
        }
    }

    private mutating func escape(_ rest: inout Substring.UnicodeScalarView) {
        guard rest.first == "[" else { return strangers.append("ESC \(rest.popFirst().map(String.init) ?? "")") }
        rest.removeFirst()
        var parameters = ""
        while let scalar = rest.first, (0x20...0x3f).contains(scalar.value) {
            parameters.unicodeScalars.append(scalar)
            rest.removeFirst()
        }
        guard let final = rest.popFirst() else { return }
        let numbers = parameters.split(separator: ";", omittingEmptySubsequences: false).map { Int($0) ?? 1 }
        switch (final, parameters) {
        case ("H", _): (row, column) = ((numbers.first ?? 1) - 1, (numbers.count > 1 ? numbers[1] : 1) - 1)
        case ("K", _): clear(row, from: column)
        case ("J", "2"): for row in cells.indices { clear(row, from: 0) }
        case ("J", _):
            clear(row, from: column)
            for row in cells.indices.dropFirst(row + 1) { clear(row, from: 0) }
        case ("m", _): colorCount += 1
        case ("h", "?1049"), ("l", "?1049"): isAlternate = final == "h"
        case ("h", "?25"), ("l", "?25"): hasCursor = final == "h"
        case ("h", "?7"), ("l", "?7"): break
        default: strangers.append("CSI \(parameters)\(final)")
        }
    }

    private mutating func clear(_ row: Int, from column: Int) {
        guard cells.indices.contains(row) else { return }
        for place in cells[row].indices where place >= column { cells[row][place] = " " }
    }
}
