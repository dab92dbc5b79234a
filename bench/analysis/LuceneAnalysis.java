import java.io.DataInputStream;
import java.io.BufferedInputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.apache.lucene.analysis.Analyzer;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.core.LowerCaseFilter;
import org.apache.lucene.analysis.core.StopAnalyzer;
import org.apache.lucene.analysis.en.EnglishAnalyzer;
import org.apache.lucene.analysis.ngram.NGramTokenFilter;
import org.apache.lucene.analysis.standard.StandardAnalyzer;
import org.apache.lucene.analysis.standard.StandardTokenizer;
import org.apache.lucene.analysis.tokenattributes.TermToBytesRefAttribute;
import org.apache.lucene.analysis.util.CharArraySet;
import org.apache.lucene.util.Version;

/**
 * How fast Lucene 4.10.4 turns texts into terms in UTF-8, as indexing does, with one thread. Arguments: the file of texts
 * (for each its length in bytes as a big-endian int, then UTF-8) and seconds per analyzer. Prints `name bytes/s tokens`.
 */
final class LuceneAnalysis {
    private static final Version VERSION = Version.LUCENE_4_10_4;

    public static void main(String[] args) throws Exception {
        List<String> texts = new ArrayList<>();
        long bytes = 0;
        try (DataInputStream in = new DataInputStream(new BufferedInputStream(Files.newInputStream(Path.of(args[0]))))) {
            while (in.available() > 0) {
                byte[] text = new byte[in.readInt()];
                in.readFully(text);
                bytes += text.length;
                texts.add(new String(text, "UTF-8"));
            }
        }
        double seconds = Double.parseDouble(args[1]);
        Analyzer ngram = new Analyzer() {
            @Override
            protected TokenStreamComponents createComponents(String field, java.io.Reader reader) {
                StandardTokenizer source = new StandardTokenizer(VERSION, reader);
                return new TokenStreamComponents(source,
                        new NGramTokenFilter(VERSION, new LowerCaseFilter(VERSION, source), 3, 3));
            }
        };
        run("standard", new StandardAnalyzer(VERSION, CharArraySet.EMPTY_SET), texts, bytes, seconds);
        run("english", new EnglishAnalyzer(VERSION, StopAnalyzer.ENGLISH_STOP_WORDS_SET), texts, bytes, seconds);
        run("ngram", ngram, texts, bytes, seconds);
    }

    private static void run(String name, Analyzer analyzer, List<String> texts, long bytes, double seconds)
            throws Exception {
        double best = 0;
        long tokens = 0;
        long end = System.nanoTime() + (long) (seconds * 1e9);
        do {
            long start = System.nanoTime();
            tokens = 0;
            for (String text : texts) {
                try (TokenStream stream = analyzer.tokenStream("f", text)) {
                    TermToBytesRefAttribute term = stream.addAttribute(TermToBytesRefAttribute.class);
                    stream.reset();
                    while (stream.incrementToken()) {
                        term.fillBytesRef();
                        tokens++;
                    }
                    stream.end();
                }
            }
            best = Math.max(best, bytes / ((System.nanoTime() - start) / 1e9));
        } while (System.nanoTime() < end);
        System.out.println(name + " " + best + " " + tokens);
    }
}
