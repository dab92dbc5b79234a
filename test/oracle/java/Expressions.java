import java.text.ParseException;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.expressions.Expression;
import org.apache.lucene.expressions.js.JavascriptCompiler;
import org.apache.lucene.queries.function.FunctionValues;
import org.apache.lucene.queries.function.docvalues.DoubleDocValues;

/** What Lucene's compiler makes of expressions: their values where the first variable is 2.5 and all others are -3.75. */
final class Expressions {
  private Expressions() {}

  private static final double FIRST = 2.5;
  private static final double OTHERS = -3.75;

  static Map<String, Object> answer(String text) {
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("text", text);
    try {
      Expression expression = JavascriptCompiler.compile(text);
      FunctionValues[] values = new FunctionValues[expression.variables.length];
      for (int i = 0; i < values.length; i++) values[i] = constant(i == 0 ? FIRST : OTHERS);
      answer.put("value", Double.toString(expression.evaluate(0, values)));
      answer.put("variables", Arrays.asList(expression.variables));
    } catch (ParseException | RuntimeException e) {
      answer.put("error", e.getClass().getSimpleName());
    }
    return answer;
  }

  private static FunctionValues constant(double value) {
    return new DoubleDocValues(null) {
      @Override
      public double doubleVal(int document) {
        return value;
      }
    };
  }
}
