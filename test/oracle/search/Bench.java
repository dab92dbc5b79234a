package search;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.io.Closeable;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.TotalHitCountCollector;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.MMapDirectory;

/** Times indexing a corpus on disk and searching it, with one thread. */
final class Bench implements Closeable {
  private static final int HITS = 10;

  private final Mapping mapping;
  private final PrintStream out;
  private final Directory directory;
  private IndexSearcher searcher;

  Bench(Mapping mapping, Path folder, PrintStream out) throws IOException {
    this.mapping = mapping;
    this.out = out;
    this.directory = new MMapDirectory(folder.toFile());
    if (directory.listAll().length > 0) {
      throw new InputException(folder + " is not empty");
    }
  }

  /** Indexes the corpus into one segment; the JSON is parsed before the clock starts. */
  void index(String corpus) throws IOException {
    List<JsonNode> sources = new ArrayList<>();
    List<String> ids = new ArrayList<>();
    Index.Ids numbering = new Index.Ids(mapping);
    Json.readLines(corpus, (source, place) -> {
      sources.add(source);
      ids.add(numbering.next(source, place));
    });

    long start = System.nanoTime();
    long merged;
    try (IndexWriter writer = new IndexWriter(directory, Index.writerConfig(mapping))) {
      for (int i = 0; i < sources.size(); i++) {
        writer.addDocument(mapping.document(sources.get(i), ids.get(i)));
      }
      writer.commit();
      merged = System.nanoTime();
      writer.forceMerge(1);
    }
    long end = System.nanoTime();
    searcher = Index.searcher(directory);

    long bytes = 0;
    for (String file : directory.listAll()) {
      bytes += directory.fileLength(file);
    }
    ObjectNode line = Json.object();
    line.put("docs", sources.size());
    line.put("index_ms", (merged - start) / 1_000_000);
    line.put("force_merge_ms", (end - merged) / 1_000_000);
    line.put("bytes", bytes);
    out.println(Json.write(line));
  }

  /** Repeats a search for the given time, after half that time, and at most two seconds, of warming up. */
  void search(String name, Query query, double seconds, boolean countOnly) throws IOException {
    long nanos = (long) (seconds * 1e9);
    run(query, Math.min(nanos / 2, 2_000_000_000L), countOnly);
    Run run = run(query, nanos, countOnly);
    ObjectNode line = Json.object();
    line.put("name", name);
    line.put("total", run.total);
    line.put("runs", run.times.length);
    line.put("median_us", run.percentile(50));
    line.put("p95_us", run.percentile(95));
    out.println(Json.write(line));
  }

  /** The sorted durations of the runs, in nanoseconds. */
  private record Run(int total, long[] times) {
    double percentile(int percent) {
      int rank = (times.length * percent + 99) / 100;
      return times[Math.max(rank, 1) - 1] / 100 / 10.0;
    }
  }

  private Run run(Query query, long nanos, boolean countOnly) throws IOException {
    long[] times = new long[1024];
    int runs = 0;
    int total;
    long start = System.nanoTime();
    long before = start;
    do {
      total = countOnly ? count(query) : searcher.search(query, HITS).totalHits;
      long now = System.nanoTime();
      if (runs == times.length) {
        times = Arrays.copyOf(times, runs * 2);
      }
      times[runs++] = now - before;
      before = now;
    } while (before - start < nanos);
    times = Arrays.copyOf(times, runs);
    Arrays.sort(times);
    return new Run(total, times);
  }

  private int count(Query query) throws IOException {
    TotalHitCountCollector counter = new TotalHitCountCollector();
    searcher.search(query, counter);
    return counter.getTotalHits();
  }

  @Override
  public void close() throws IOException {
    if (searcher != null) {
      searcher.getIndexReader().close();
    }
    directory.close();
  }

  static void deleteFolder(Path folder) throws IOException {
    try (var files = Files.list(folder)) {
      for (Path file : files.toList()) {
        Files.delete(file);
      }
    }
    Files.delete(folder);
  }
}
