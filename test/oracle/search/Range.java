package search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.TextNode;
import java.time.ZoneId;

/** The bounds of a range; a null bound is open. The zone is for dates and may be null. */
record Range(JsonNode from, JsonNode to, boolean includeLower, boolean includeUpper, ZoneId zone) {
  static Range ofText(String from, String to, boolean includeLower, boolean includeUpper) {
    return new Range(node(from), node(to), includeLower, includeUpper, null);
  }

  private static JsonNode node(String text) {
    return text == null ? null : TextNode.valueOf(text);
  }
}
