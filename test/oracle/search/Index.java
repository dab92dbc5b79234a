package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.apache.lucene.document.Document;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.LogDocMergePolicy;
import org.apache.lucene.index.SerialMergeScheduler;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TopDocs;
import org.apache.lucene.search.TopScoreDocCollector;
import org.apache.lucene.search.TotalHitCountCollector;
import org.apache.lucene.search.similarities.DefaultSimilarity;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.store.Directory;
import org.apache.lucene.store.RAMDirectory;

/** A corpus indexed in memory, in shards of one segment each, its documents in file order. */
final class Index implements Closeable {
  private final List<Shard> shards = new ArrayList<>();

  private Index() {
  }

  static Index build(String corpus, Mapping mapping, int shardCount) throws IOException {
    List<Builder> builders = new ArrayList<>();
    for (int i = 0; i < shardCount; i++) {
      builders.add(new Builder(new RAMDirectory(), mapping));
    }
    Ids ids = new Ids(mapping);
    Json.readLines(corpus, (source, place) -> {
      String id = ids.next(source, place);
      try {
        builders.get(route(id, shardCount)).add(id, mapping.document(source, id));
      } catch (IllegalArgumentException | UnsupportedOperationException | InputException e) {
        throw InputException.at(place, e);
      }
    });
    Index index = new Index();
    for (Builder builder : builders) {
      index.shards.add(builder.finish());
    }
    return index;
  }

  /** The shard of a document: DJB2 over the UTF-16 units of its id; the type plays no part. */
  static int route(String id, int shardCount) {
    long hash = 5381;
    for (int i = 0; i < id.length(); i++) {
      hash = hash * 33 + id.charAt(i);
    }
    return Math.abs((int) hash % shardCount);
  }

  record Hit(String id, float score) {
  }

  record Result(long total, float maxScore, List<Hit> hits) {
  }

  /**
  * The best hits of all shards, by score, then shard, then document.
  *
  * @param inOrder score documents one by one in document order, never in bulk by clause
  */
  Result search(Query query, int size, boolean inOrder) throws IOException {
    TopDocs[] results = new TopDocs[shards.size()];
    long total = 0;
    float maxScore = Float.NaN;
    for (int i = 0; i < results.length; i++) {
      results[i] = shards.get(i).search(query, size, inOrder);
      total += results[i].totalHits;
      if (!(results[i].getMaxScore() <= maxScore) && !Float.isNaN(results[i].getMaxScore())) {
        maxScore = results[i].getMaxScore();
      }
    }
    List<Hit> hits = new ArrayList<>();
    if (size > 0) {
      for (ScoreDoc doc : TopDocs.merge(null, size, results).scoreDocs) {
        hits.add(new Hit(shards.get(doc.shardIndex).ids.get(doc.doc), doc.score));
      }
    }
    return new Result(total, maxScore, hits);
  }

  /** Why a document scores as it does; null if there is no such document. */
  Explanation explain(Query query, String id) throws IOException {
    Shard shard = shards.get(route(id, shards.size()));
    int doc = shard.ids.indexOf(id);
    return doc < 0 ? null : shard.searcher.explain(query, doc);
  }

  @Override
  public void close() throws IOException {
    for (Shard shard : shards) {
      shard.searcher.getIndexReader().close();
    }
  }

  /** The ids of the documents of a corpus: their own, or else their line counted from 0. */
  static final class Ids {
    private final Mapping mapping;
    private final Set<String> seen = new HashSet<>();

    Ids(Mapping mapping) {
      this.mapping = mapping;
    }

    String next(JsonNode source, String place) {
      String given = mapping.id(source);
      String id = given == null ? Integer.toString(seen.size()) : given;
      if (!seen.add(id)) {
        throw new InputException(place + ": the id [" + id + "] occurs twice");
      }
      return id;
    }
  }

  /** Lucene settings shared by everything that indexes. */
  static IndexWriterConfig writerConfig(Mapping mapping) {
    IndexWriterConfig config = new IndexWriterConfig(Analysis.VERSION, mapping.indexAnalyzer());
    config.setSimilarity(new PerFieldSimilarity());
    config.setRAMBufferSizeMB(256);
    config.setMergePolicy(new LogDocMergePolicy()); // merges neighbours only: documents keep their order
    config.setMergeScheduler(new SerialMergeScheduler());
    return config;
  }

  static IndexSearcher searcher(Directory directory) throws IOException {
    IndexSearcher searcher = new IndexSearcher(DirectoryReader.open(directory));
    searcher.setSimilarity(new PerFieldSimilarity());
    return searcher;
  }

  /** The default similarity, wrapped and named as it is in Elasticsearch, so that explanations read alike. */
  private static final class PerFieldSimilarity extends PerFieldSimilarityWrapper {
    private final Similarity similarity = new DefaultSimilarity();

    @Override
    public Similarity get(String field) {
      return similarity;
    }

    @Override
    public float coord(int overlap, int maxOverlap) {
      return similarity.coord(overlap, maxOverlap);
    }

    @Override
    public float queryNorm(float valueForNormalization) {
      return similarity.queryNorm(valueForNormalization);
    }
  }

  private static final class Builder {
    private final Directory directory;
    private final IndexWriter writer;
    private final List<String> ids = new ArrayList<>();

    Builder(Directory directory, Mapping mapping) throws IOException {
      this.directory = directory;
      this.writer = new IndexWriter(directory, writerConfig(mapping));
    }

    void add(String id, Document document) throws IOException {
      writer.addDocument(document);
      ids.add(id);
    }

    Shard finish() throws IOException {
      writer.forceMerge(1);
      writer.close();
      return new Shard(searcher(directory), ids);
    }
  }

  private record Shard(IndexSearcher searcher, List<String> ids) {
    TopDocs search(Query query, int size, boolean inOrder) throws IOException {
      if (size == 0) {
        TotalHitCountCollector counter = new TotalHitCountCollector();
        searcher.search(query, counter);
        return new TopDocs(counter.getTotalHits(), new ScoreDoc[0], 0);
      }
      if (!inOrder) {
        return searcher.search(query, size);
      }
      int most = Math.max(1, Math.min(size, searcher.getIndexReader().maxDoc()));
      TopScoreDocCollector collector = TopScoreDocCollector.create(most, true);
      searcher.search(query, collector);
      return collector.topDocs();
    }
  }
}
