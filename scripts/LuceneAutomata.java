import java.io.PrintStream;
import java.lang.reflect.Field;
import java.util.Arrays;

/**
 * Prints the automaton of a scanner of Lucene 4.10.4 as JSON, for generate-automata.mjs:
 *
 *     java -cp lucene-core-4.10.4.jar:lucene-analyzers-common-4.10.4.jar scripts/LuceneAutomata.java ClassicTokenizerImpl
 */
public class LuceneAutomata {
    public static void main(String[] args) throws Exception {
        Class<?> scanner = Class.forName("org.apache.lucene.analysis.standard." + args[0]);
        char[] map = (char[]) field(scanner, "ZZ_CMAP");
        int[] actions = (int[]) field(scanner, "ZZ_ACTION");
        int[] attributes = (int[]) field(scanner, "ZZ_ATTRIBUTE");
        int[] rows = (int[]) field(scanner, "ZZ_ROWMAP");
        int[] moves = (int[]) field(scanner, "ZZ_TRANS");
        int classes = 0;
        for (char c : map) {
            classes = Math.max(classes, c + 1);
        }
        PrintStream out = System.out;
        out.print("{\"classes\":" + classes + ",\"starts\":" + Arrays.toString((int[]) field(scanner, "ZZ_LEXSTATE")));
        out.print(",\"runs\":[[0," + (int) map[0] + "]");
        for (int c = 1; c < map.length; c++) {
            if (map[c] != map[c - 1]) {
                out.print(",[" + c + "," + (int) map[c] + "]");
            }
        }
        out.print("],\"actions\":[");
        for (int state = 0; state < actions.length; state++) {
            // Bit 0 says that the state accepts.
            out.print((state > 0 ? "," : "") + ((attributes[state] & 1) != 0 ? actions[state] : 0));
        }
        out.print("],\"rows\":[");
        for (int state = 0; state < actions.length; state++) {
            out.print((state > 0 ? "," : "") + Arrays.toString(Arrays.copyOfRange(moves, rows[state], rows[state] + classes)));
        }
        out.println("]}");
    }

    private static Object field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field.get(null);
    }
}
