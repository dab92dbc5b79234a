import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.analysis.core.WhitespaceAnalyzer;
import org.apache.lucene.document.Document;
import org.apache.lucene.document.Field;
import org.apache.lucene.document.TextField;
import org.apache.lucene.index.DirectoryReader;
import org.apache.lucene.index.IndexWriter;
import org.apache.lucene.index.IndexWriterConfig;
import org.apache.lucene.index.Term;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.BooleanQuery;
import org.apache.lucene.search.Explanation;
import org.apache.lucene.search.IndexSearcher;
import org.apache.lucene.search.PhraseQuery;
import org.apache.lucene.search.Query;
import org.apache.lucene.search.ScoreDoc;
import org.apache.lucene.search.TermQuery;
import org.apache.lucene.search.similarities.AfterEffect;
import org.apache.lucene.search.similarities.AfterEffectB;
import org.apache.lucene.search.similarities.AfterEffectL;
import org.apache.lucene.search.similarities.BM25Similarity;
import org.apache.lucene.search.similarities.BasicModel;
import org.apache.lucene.search.similarities.BasicModelBE;
import org.apache.lucene.search.similarities.BasicModelD;
import org.apache.lucene.search.similarities.BasicModelG;
import org.apache.lucene.search.similarities.BasicModelIF;
import org.apache.lucene.search.similarities.BasicModelIn;
import org.apache.lucene.search.similarities.BasicModelIne;
import org.apache.lucene.search.similarities.BasicModelP;
import org.apache.lucene.search.similarities.DFRSimilarity;
import org.apache.lucene.search.similarities.DefaultSimilarity;
import org.apache.lucene.search.similarities.Distribution;
import org.apache.lucene.search.similarities.DistributionLL;
import org.apache.lucene.search.similarities.DistributionSPL;
import org.apache.lucene.search.similarities.IBSimilarity;
import org.apache.lucene.search.similarities.LMDirichletSimilarity;
import org.apache.lucene.search.similarities.LMJelinekMercerSimilarity;
import org.apache.lucene.search.similarities.Lambda;
import org.apache.lucene.search.similarities.LambdaDF;
import org.apache.lucene.search.similarities.LambdaTTF;
import org.apache.lucene.search.similarities.Normalization;
import org.apache.lucene.search.similarities.NormalizationH1;
import org.apache.lucene.search.similarities.NormalizationH2;
import org.apache.lucene.search.similarities.NormalizationH3;
import org.apache.lucene.search.similarities.NormalizationZ;
import org.apache.lucene.search.similarities.PerFieldSimilarityWrapper;
import org.apache.lucene.search.similarities.Similarity;
import org.apache.lucene.search.spans.SpanNearQuery;
import org.apache.lucene.search.spans.SpanQuery;
import org.apache.lucene.search.spans.SpanTermQuery;
import org.apache.lucene.store.RAMDirectory;
import org.apache.lucene.util.Version;

/** What each similarity of Lucene makes of four queries: a term, two optional terms, a sloppy phrase, spans. */
final class Similarities {
  private Similarities() {}

  private static final String FIELD = "f";
  private static final int HITS = 8;

  static Map<String, Object> answer(List<Object> documents, Map<String, Object> settings) throws IOException {
    Similarity chosen = similarity(settings);
    Similarity defaults = new DefaultSimilarity();
    // As in Elasticsearch: coord and the norm of the query are those of the default similarity.
    Similarity similarity =
        new PerFieldSimilarityWrapper() {
          @Override
          public Similarity get(String field) {
            return chosen;
          }

          @Override
          public float coord(int overlap, int maxOverlap) {
            return defaults.coord(overlap, maxOverlap);
          }

          @Override
          public float queryNorm(float sumOfSquares) {
            return defaults.queryNorm(sumOfSquares);
          }
        };
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("settings", settings);
    List<Object> queries = new ArrayList<>();
    answer.put("queries", queries);
    try (RAMDirectory folder = new RAMDirectory()) {
      IndexWriterConfig config = new IndexWriterConfig(Version.LUCENE_4_10_4, new WhitespaceAnalyzer());
      config.setSimilarity(similarity);
      try (IndexWriter writer = new IndexWriter(folder, config)) {
        for (Object text : documents) {
          Document document = new Document();
          document.add(new TextField(FIELD, (String) text, Field.Store.NO));
          writer.addDocument(document);
        }
        writer.forceMerge(1);
      }
      try (DirectoryReader reader = DirectoryReader.open(folder)) {
        IndexSearcher searcher = new IndexSearcher(reader);
        searcher.setSimilarity(similarity);
        for (Query query : queries()) queries.add(found(searcher, query));
      }
    }
    return answer;
  }

  private static List<Query> queries() {
    TermQuery sea = new TermQuery(new Term(FIELD, "sea"));
    sea.setBoost(2);
    BooleanQuery either = new BooleanQuery();
    either.add(sea, Occur.SHOULD);
    either.add(new TermQuery(new Term(FIELD, "storm")), Occur.SHOULD);
    PhraseQuery phrase = new PhraseQuery();
    phrase.add(new Term(FIELD, "sea"));
    phrase.add(new Term(FIELD, "ship"));
    phrase.setSlop(2);
    SpanQuery[] spans = {
      new SpanTermQuery(new Term(FIELD, "harbour")), new SpanTermQuery(new Term(FIELD, "sea"))
    };
    return List.of(
        new TermQuery(new Term(FIELD, "captain")), either, phrase, new SpanNearQuery(spans, 3, false));
  }

  private static Map<String, Object> found(IndexSearcher searcher, Query query) throws IOException {
    List<Object> hits = new ArrayList<>();
    ScoreDoc[] found = searcher.search(query, HITS).scoreDocs;
    for (ScoreDoc hit : found) hits.add(List.of(hit.doc, hit.score));
    Map<String, Object> answer = new LinkedHashMap<>();
    answer.put("hits", hits);
    answer.put("explanation", tree(searcher.explain(query, found[0].doc)));
    return answer;
  }

  /** `[value, description, details…]`. */
  private static List<Object> tree(Explanation explanation) {
    List<Object> tree = new ArrayList<>(List.of(explanation.getValue(), explanation.getDescription()));
    if (explanation.getDetails() != null)
      for (Explanation detail : explanation.getDetails()) tree.add(tree(detail));
    return tree;
  }

  /** By the settings that Elasticsearch 1.7 has for it. */
  private static Similarity similarity(Map<String, Object> of) {
    return switch ((String) of.get("type")) {
      case "DFR" -> new DFRSimilarity(basicModel(of), afterEffect(of), normalization(of));
      case "IB" -> new IBSimilarity(distribution(of), lambda(of), normalization(of));
      case "LMDirichlet" -> new LMDirichletSimilarity(number(of, "mu", 2000));
      case "LMJelinekMercer" -> new LMJelinekMercerSimilarity(number(of, "lambda", 0.1f));
      case "BM25" -> new BM25Similarity(number(of, "k1", 1.2f), number(of, "b", 0.75f));
      default -> throw unknown(of, "type");
    };
  }

  private static BasicModel basicModel(Map<String, Object> of) {
    return switch ((String) of.get("basic_model")) {
      case "be" -> new BasicModelBE();
      case "d" -> new BasicModelD();
      case "g" -> new BasicModelG();
      case "if" -> new BasicModelIF();
      case "in" -> new BasicModelIn();
      case "ine" -> new BasicModelIne();
      case "p" -> new BasicModelP();
      default -> throw unknown(of, "basic_model");
    };
  }

  private static AfterEffect afterEffect(Map<String, Object> of) {
    return switch ((String) of.get("after_effect")) {
      case "no" -> new AfterEffect.NoAfterEffect();
      case "b" -> new AfterEffectB();
      case "l" -> new AfterEffectL();
      default -> throw unknown(of, "after_effect");
    };
  }

  private static Distribution distribution(Map<String, Object> of) {
    return switch ((String) of.get("distribution")) {
      case "ll" -> new DistributionLL();
      case "spl" -> new DistributionSPL();
      default -> throw unknown(of, "distribution");
    };
  }

  private static Lambda lambda(Map<String, Object> of) {
    return switch ((String) of.get("lambda")) {
      case "df" -> new LambdaDF();
      case "ttf" -> new LambdaTTF();
      default -> throw unknown(of, "lambda");
    };
  }

  private static Normalization normalization(Map<String, Object> of) {
    return switch ((String) of.get("normalization")) {
      case "no" -> new Normalization.NoNormalization();
      case "h1" -> new NormalizationH1(number(of, "normalization.h1.c", 1));
      case "h2" -> new NormalizationH2(number(of, "normalization.h2.c", 1));
      case "h3" -> new NormalizationH3(number(of, "normalization.h3.c", 800));
      case "z" -> new NormalizationZ(number(of, "normalization.z.z", 0.3f));
      default -> throw unknown(of, "normalization");
    };
  }

  private static float number(Map<String, Object> of, String key, float otherwise) {
    return of.containsKey(key) ? Float.parseFloat(of.get(key).toString()) : otherwise;
  }

  private static IllegalArgumentException unknown(Map<String, Object> of, String key) {
    return new IllegalArgumentException("no " + key + " " + of.get(key));
  }
}
