import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.Analyzer;

/**
 * What Lucene 4.10.4 says. Reads questions, one a line, as JSON, and writes their answers, one a line:
 *
 * <pre>
 * {"analyzer": NAME, "texts": [...]}      the tokens of each text, by an analyzer that Elasticsearch 1.7 has by that name
 * {"chain": {...}, "texts": [...]}        the same, by a custom analyzer as in index settings
 * {"words": NAME, "texts": [...]}         each word changed by the stemmer or normalizer of that name
 * {"expressions": [...]}                  what each expression of a script is worth ({@link Expressions})
 * {"matches": [[PATTERN, TEXT]...]}       what Java's own regular expressions find ({@link Matches})
 * {"similarities": [...], "documents": [...]}  scores and explanations of some queries, by each of the similarities ({@link Similarities})
 * </pre>
 */
public final class Oracle {
  private Oracle() {}

  public static void main(String[] args) throws Exception {
    BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
    PrintStream out = new PrintStream(System.out, false, StandardCharsets.UTF_8);
    for (String line = in.readLine(); line != null; line = in.readLine())
      if (!line.isBlank()) out.println(Json.write(answer(Json.object(Json.parse(line)))));
    out.flush();
  }

  private static Object answer(Map<String, Object> question) throws Exception {
    List<Object> answers = new ArrayList<>();
    if (question.containsKey("expressions")) {
      for (Object text : Json.list(question.get("expressions"))) answers.add(Expressions.answer((String) text));
      return answers;
    }
    if (question.containsKey("matches")) {
      for (Object each : Json.list(question.get("matches"))) {
        List<Object> of = Json.list(each);
        answers.add(Matches.answer((String) of.get(0), (String) of.get(1)));
      }
      return answers;
    }
    if (question.containsKey("similarities")) {
      List<Object> documents = Json.list(question.get("documents"));
      for (Object settings : Json.list(question.get("similarities")))
        answers.add(Similarities.answer(documents, Json.object(settings)));
      return answers;
    }
    if (question.containsKey("words")) {
      UnaryOperator<String> change = Words.changer((String) question.get("words"));
      for (Object word : Json.list(question.get("texts"))) answers.add(change.apply((String) word));
      return answers;
    }
    try (Analyzer analyzer =
        question.containsKey("analyzer")
            ? Analyzers.named((String) question.get("analyzer"))
            : new Chain(Json.object(question.get("chain")))) {
      for (Object text : Json.list(question.get("texts"))) answers.add(Chain.tokens(analyzer, (String) text));
    }
    return answers;
  }
}
