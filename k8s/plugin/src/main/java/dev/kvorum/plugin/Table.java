package dev.kvorum.plugin;

import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;

/** Rows of text under headings, as wide as they need to be. */
final class Table {
  private static final String GAP = "   ";

  private final List<List<String>> rows = new ArrayList<>();

  Table(String... headings) {
    rows.add(List.of(headings));
  }

  void row(String... cells) {
    rows.add(List.of(cells));
  }

  void print(PrintWriter out) {
    List<String> headings = rows.getFirst();
    int[] widths = new int[headings.size()];
    for (List<String> row : rows) {
      for (int i = 0; i < widths.length; i++) {
        widths[i] = Math.max(widths[i], row.get(i).length());
      }
    }
    for (List<String> row : rows) {
      StringBuilder line = new StringBuilder();
      for (int i = 0; i < widths.length; i++) {
        line.append(row.get(i)).repeat(' ', widths[i] - row.get(i).length()).append(GAP);
      }
      out.println(line.toString().stripTrailing());
    }
  }
}
