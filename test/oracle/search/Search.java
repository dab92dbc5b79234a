package search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.BufferedOutputStream;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tokenattributes.OffsetAttribute;
import org.apache.lucene.analysis.tokenattributes.PositionIncrementAttribute;
import org.apache.lucene.analysis.tokenattributes.TypeAttribute;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.Query;

/** The command line. Exit status: 0 done, 1 failed, 2 mistaken input. */
public final class Search {
  private static final String USAGE = """
      usage: oracle analyze (--analyzer NAME | --field NAME | --chain JSON) [--spec FILE] < texts.jsonl
             oracle search  --corpus FILE --spec FILE --queries FILE [--shards N] [--top K] [--in-order]
             oracle explain --corpus FILE --spec FILE --queries FILE --id ID [--name QUERY] [--shards N]
             oracle bench   --corpus FILE --spec FILE --queries FILE --seconds S [--count] [--dir FOLDER]""";

  private final PrintStream out;

  private Search(PrintStream out) {
    this.out = out;
  }

  public static void main(String[] args) {
    PrintStream out = new PrintStream(
        new BufferedOutputStream(new FileOutputStream(FileDescriptor.out)), false, StandardCharsets.UTF_8);
    int status = 0;
    try {
      new Search(out).run(List.of(args));
    } catch (InputException e) {
      status = fail(2, e.getMessage());
    } catch (IOException e) {
      status = fail(1, e.toString());
    }
    out.flush();
    System.exit(status);
  }

  private static int fail(int status, String message) {
    System.err.println("oracle: " + message.replaceAll("\\s*\\R\\s*", " "));
    return status;
  }

  private void run(List<String> args) throws IOException {
    String command = args.isEmpty() ? "help" : args.get(0);
    List<String> rest = args.subList(Math.min(1, args.size()), args.size());
    switch (command) {
      case "analyze" -> analyze(new Options(rest,
          Set.of("--analyzer", "--field", "--chain", "--spec"), Set.of()));
      case "search" -> search(new Options(rest,
          Set.of("--corpus", "--spec", "--queries", "--shards", "--top"), Set.of("--in-order")));
      case "explain" -> explain(new Options(rest,
          Set.of("--corpus", "--spec", "--queries", "--shards", "--id", "--name"), Set.of()));
      case "bench" -> bench(new Options(rest,
          Set.of("--corpus", "--spec", "--queries", "--seconds", "--dir"), Set.of("--count")));
      case "help", "--help", "-h" -> out.println(USAGE);
      default -> throw new InputException("unknown command [" + command + "]; try: oracle help");
    }
  }

  private void analyze(Options options) throws IOException {
    Analyzer analyzer = chosenAnalyzer(options);
    Json.readLines(System.in, "stdin", (text, place) -> {
      if (!text.isTextual()) {
        throw new InputException(place + ": a JSON string is expected, not " + text);
      }
      out.println(Json.write(tokens(analyzer, text.asText())));
    });
  }

  private static Analyzer chosenAnalyzer(Options options) throws IOException {
    long choices = Arrays.asList("--analyzer", "--field", "--chain").stream().filter(options::has).count();
    if (choices != 1) {
      throw new InputException("give one of --analyzer, --field and --chain");
    }
    Mapping mapping = options.has("--spec") ? mapping(options) : null;
    if (options.has("--field")) {
      FieldMapping field = mapping == null ? null : mapping.field(options.get("--field"));
      if (field == null) {
        throw new InputException("--field needs a --spec with that field");
      }
      return field.indexAnalyzer();
    }
    Analysis analysis = mapping == null ? new Analysis(Json.object()) : mapping.analysis;
    return options.has("--chain")
        ? analysis.chain(Json.parse(options.get("--chain"), "--chain"))
        : analysis.analyzer(options.get("--analyzer"));
  }

  /** The tokens as the _analyze API reports them: positions count from 1. */
  private static ArrayNode tokens(Analyzer analyzer, String text) throws IOException {
    ArrayNode tokens = Json.object().arrayNode();
    try (TokenStream stream = analyzer.tokenStream("_all", text)) {
      CharTermAttribute term = stream.addAttribute(CharTermAttribute.class);
      PositionIncrementAttribute increment = stream.addAttribute(PositionIncrementAttribute.class);
      OffsetAttribute offset = stream.addAttribute(OffsetAttribute.class);
      TypeAttribute type = stream.addAttribute(TypeAttribute.class);
      int position = 0;
      stream.reset();
      while (stream.incrementToken()) {
        position += increment.getPositionIncrement();
        ObjectNode token = tokens.addObject();
        token.put("token", term.toString());
        token.put("start_offset", offset.startOffset());
        token.put("end_offset", offset.endOffset());
        token.put("type", type.type());
        token.put("position", position);
      }
      stream.end();
    }
    return tokens;
  }

  private void search(Options options) throws IOException {
    int top = options.intValue("--top", 10, 0);
    Mapping mapping = mapping(options);
    List<NamedQuery> queries = queries(options, mapping);
    try (Index index = index(options, mapping)) {
      for (NamedQuery query : queries) {
        int size = query.size < 0 ? top : query.size;
        Index.Result result = query.run(q -> index.search(q, size, options.has("--in-order")));
        ObjectNode line = Json.object();
        line.put("name", query.name);
        line.put("total", result.total());
        if (Float.isNaN(result.maxScore())) {
          line.putNull("max_score");
        } else {
          line.put("max_score", result.maxScore());
        }
        ArrayNode hits = line.putArray("hits");
        for (Index.Hit hit : result.hits()) {
          ObjectNode entry = hits.addObject();
          entry.put("id", hit.id());
          entry.put("score", hit.score());
          entry.put("bits", String.format("%08x", Float.floatToIntBits(hit.score())));
        }
        out.println(Json.write(line));
      }
    }
  }

  private void explain(Options options) throws IOException {
    String id = options.required("--id");
    Mapping mapping = mapping(options);
    List<NamedQuery> queries = queries(options, mapping);
    if (options.has("--name")) {
      queries.removeIf(query -> !query.name.equals(options.get("--name")));
      if (queries.isEmpty()) {
        throw new InputException("no query is named [" + options.get("--name") + "]");
      }
    }
    try (Index index = index(options, mapping)) {
      for (NamedQuery query : queries) {
        Explanation explanation = query.run(q -> index.explain(q, id));
        if (explanation == null) {
          throw new InputException("there is no document with the id [" + id + "]");
        }
        ObjectNode line = Json.object();
        line.put("name", query.name);
        line.put("id", id);
        line.put("matched", explanation.isMatch());
        line.set("explanation", tree(explanation));
        out.println(Json.write(line));
      }
    }
  }

  private static ObjectNode tree(Explanation explanation) {
    ObjectNode node = Json.object();
    node.put("value", explanation.getValue());
    node.put("description", explanation.getDescription());
    if (explanation.getDetails() != null) {
      ArrayNode details = node.putArray("details");
      for (Explanation detail : explanation.getDetails()) {
        details.add(tree(detail));
      }
    }
    return node;
  }

  private void bench(Options options) throws IOException {
    double seconds = options.positive("--seconds");
    Mapping mapping = mapping(options);
    List<NamedQuery> queries = queries(options, mapping);
    String corpus = options.required("--corpus");
    boolean temporary = !options.has("--dir");
    Path folder = temporary
        ? Files.createTempDirectory("lucene-bench")
        : Files.createDirectories(Path.of(options.get("--dir")));
    try (Bench bench = new Bench(mapping, folder, out)) {
      bench.index(corpus);
      out.flush();
      for (NamedQuery query : queries) {
        query.run(q -> {
          bench.search(query.name, q, seconds, options.has("--count"));
          return null;
        });
        out.flush();
      }
    } finally {
      if (temporary) {
        Bench.deleteFolder(folder);
      }
    }
  }

  private static Mapping mapping(Options options) throws IOException {
    String file = options.required("--spec");
    JsonNode spec = Json.readFile(file);
    try {
      return new Mapping(spec);
    } catch (InputException e) {
      throw InputException.at(file, e);
    }
  }

  private static Index index(Options options, Mapping mapping) throws IOException {
    return Index.build(options.required("--corpus"), mapping, options.intValue("--shards", 1, 1));
  }

  /** One line of a query file; a size below 0 stands for none. */
  private record NamedQuery(String name, Query query, int size, String place) {
    interface Action<T> {
      T run(Query query) throws IOException;
    }

    /** Runs the query; what Lucene then finds wrong with it is a mistake in the input. */
    <T> T run(Action<T> action) throws IOException {
      try {
        return action.run(query);
      } catch (IllegalArgumentException | IllegalStateException | BooleanQuery.TooManyClauses e) {
        throw InputException.at(place, e);
      }
    }
  }

  private static List<NamedQuery> queries(Options options, Mapping mapping) throws IOException {
    List<NamedQuery> queries = new ArrayList<>();
    QueryDsl dsl = new QueryDsl(mapping);
    Json.readLines(options.required("--queries"), (line, place) -> {
      if (!line.path("query").isObject()) {
        throw new InputException(place + ": {\"name\": ..., \"query\": {...}} is expected");
      }
      try {
        String name = line.path("name").asText(place);
        queries.add(new NamedQuery(name, dsl.parse(line.get("query")), line.path("size").asInt(-1), place));
      } catch (InputException | IllegalArgumentException e) {
        throw InputException.at(place, e);
      }
    });
    return queries;
  }
}
