package search;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.StreamReadFeature;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;

/** Strict JSON input and output. Object keys keep their order; numbers keep their digits. */
final class Json {
  private static final ObjectMapper MAPPER = JsonMapper.builder()
      .enable(StreamReadFeature.STRICT_DUPLICATE_DETECTION)
      .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
      .nodeFactory(JsonNodeFactory.withExactBigDecimals(true))
      .build();

  private Json() {
  }

  interface LineHandler {
    void accept(JsonNode value, String place) throws IOException;
  }

  static ObjectNode object() {
    return MAPPER.createObjectNode();
  }

  static JsonNode parse(String text, String place) {
    try (JsonParser parser = MAPPER.createParser(text)) {
      JsonNode node = MAPPER.readTree(parser);
      if (node == null || node.isMissingNode()) {
        throw new InputException(place + ": empty where JSON was expected");
      }
      if (parser.nextToken() != null) {
        throw new InputException(place + ": bad JSON: more than one value");
      }
      return node;
    } catch (JsonProcessingException e) {
      throw new InputException(place + ": bad JSON: " + e.getOriginalMessage(), e);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  static JsonNode readFile(String file) throws IOException {
    try {
      return parse(Files.readString(Path.of(file)), file);
    } catch (NoSuchFileException e) {
      throw new InputException(file + ": no such file");
    } catch (CharacterCodingException e) {
      throw new InputException(file + ": not valid UTF-8");
    }
  }

  /** Hands every non-blank line of a JSON-lines file to the handler. */
  static void readLines(String file, LineHandler handler) throws IOException {
    try (InputStream in = Files.newInputStream(Path.of(file))) {
      readLines(in, file, handler);
    } catch (NoSuchFileException e) {
      throw new InputException(file + ": no such file");
    }
  }

  static void readLines(InputStream in, String name, LineHandler handler) throws IOException {
    // newDecoder() reports malformed input instead of replacing it
    BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8.newDecoder()));
    int number = 0;
    try {
      for (String line; (line = reader.readLine()) != null; ) {
        number++;
        if (!line.isBlank()) {
          String place = name + ":" + number;
          handler.accept(parse(line, place), place);
        }
      }
    } catch (CharacterCodingException e) {
      throw new InputException(name + ": not valid UTF-8 after line " + number);
    }
  }

  static String write(JsonNode node) {
    try {
      return MAPPER.writeValueAsString(node);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** Text of a scalar as Elasticsearch's parser gives it; null for JSON null or a missing node. */
  static String text(JsonNode node) {
    return node == null || node.isNull() || node.isMissingNode() ? null : node.asText();
  }

  /** A boolean as Elasticsearch 1.x reads one: false, 0, "false", "0", "off", "no" and "" are false. */
  static boolean bool(JsonNode node) {
    return switch (node.getNodeType()) {
      case BOOLEAN -> node.booleanValue();
      case NUMBER -> node.intValue() != 0;
      default -> switch (node.asText()) {
        case "false", "0", "off", "no", "" -> false;
        default -> true;
      };
    };
  }
}
