import java.io.IOException;
import java.util.Map;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicNormalizationFilter;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.bg.BulgarianStemFilter;
import org.apache.lucene.analysis.br.BrazilianStemFilter;
import org.apache.lucene.analysis.ckb.SoraniNormalizationFilter;
import org.apache.lucene.analysis.ckb.SoraniStemFilter;
import org.apache.lucene.analysis.cz.CzechStemFilter;
import org.apache.lucene.analysis.de.GermanLightStemFilter;
import org.apache.lucene.analysis.de.GermanMinimalStemFilter;
import org.apache.lucene.analysis.de.GermanNormalizationFilter;
import org.apache.lucene.analysis.de.GermanStemFilter;
import org.apache.lucene.analysis.el.GreekLowerCaseFilter;
import org.apache.lucene.analysis.el.GreekStemFilter;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishLightStemFilter;
import org.apache.lucene.analysis.fa.PersianNormalizationFilter;
import org.apache.lucene.analysis.fi.FinnishLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchMinimalStemFilter;
import org.apache.lucene.analysis.fr.FrenchStemFilter;
import org.apache.lucene.analysis.ga.IrishLowerCaseFilter;
import org.apache.lucene.analysis.gl.GalicianMinimalStemFilter;
import org.apache.lucene.analysis.gl.GalicianStemFilter;
import org.apache.lucene.analysis.hi.HindiNormalizationFilter;
import org.apache.lucene.analysis.hi.HindiStemFilter;
import org.apache.lucene.analysis.hu.HungarianLightStemFilter;
import org.apache.lucene.analysis.id.IndonesianStemFilter;
import org.apache.lucene.analysis.in.IndicNormalizationFilter;
import org.apache.lucene.analysis.it.ItalianLightStemFilter;
import org.apache.lucene.analysis.lv.LatvianStemFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianFoldingFilter;
import org.apache.lucene.analysis.miscellaneous.ScandinavianNormalizationFilter;
import org.apache.lucene.analysis.nl.DutchStemFilter;
import org.apache.lucene.analysis.no.NorwegianLightStemFilter;
import org.apache.lucene.analysis.no.NorwegianLightStemmer;
import org.apache.lucene.analysis.no.NorwegianMinimalStemFilter;
import org.apache.lucene.analysis.pt.PortugueseLightStemFilter;
import org.apache.lucene.analysis.pt.PortugueseMinimalStemFilter;
import org.apache.lucene.analysis.pt.PortugueseStemFilter;
import org.apache.lucene.analysis.ru.RussianLightStemFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.sv.SwedishLightStemFilter;
import org.apache.lucene.analysis.tokenattributes.CharTermAttribute;
import org.apache.lucene.analysis.tr.TurkishLowerCaseFilter;
import org.apache.lucene.util.Version;

/** Stemmers and normalizers, each by the name that its file in test/fixtures/words has. */
final class Words {
  private Words() {}

  /** Programs of Snowball, by the numbers up to 24. */
  private static final Map<String, String> SNOWBALL =
      Map.ofEntries(
          Map.entry("002-armenian", "Armenian"),
          Map.entry("003-basque", "Basque"),
          Map.entry("004-catalan", "Catalan"),
          Map.entry("005-danish", "Danish"),
          Map.entry("006-dutch", "Dutch"),
          Map.entry("007-english", "English"),
          Map.entry("008-finnish", "Finnish"),
          Map.entry("009-french", "French"),
          Map.entry("010-german", "German"),
          Map.entry("011-german2", "German2"),
          Map.entry("012-hungarian", "Hungarian"),
          Map.entry("013-irish", "Irish"),
          Map.entry("014-italian", "Italian"),
          Map.entry("015-kp", "Kp"),
          Map.entry("016-lovins", "Lovins"),
          Map.entry("017-norwegian", "Norwegian"),
          Map.entry("018-porter-snowball", "Porter"),
          Map.entry("019-portuguese", "Portuguese"),
          Map.entry("020-romanian", "Romanian"),
          Map.entry("021-russian", "Russian"),
          Map.entry("022-spanish", "Spanish"),
          Map.entry("023-swedish", "Swedish"),
          Map.entry("024-turkish", "Turkish"));

  private static TokenStream filter(String name, TokenStream in) {
    String program = SNOWBALL.get(name);
    if (program != null) return new SnowballFilter(in, program);
    return switch (name) {
      case "001-porter" -> new PorterStemFilter(in);
      case "060-arabic" -> new ArabicNormalizationFilter(in);
      case "061-persian" -> new PersianNormalizationFilter(in);
      case "062-german" -> new GermanNormalizationFilter(in);
      case "063-hindi" -> new HindiNormalizationFilter(in);
      case "064-indic" -> new IndicNormalizationFilter(in);
      case "065-sorani" -> new SoraniNormalizationFilter(in);
      case "066-scandinavian" -> new ScandinavianNormalizationFilter(in);
      case "067-scandinavian-folding" -> new ScandinavianFoldingFilter(in);
      case "068-greek" -> new GreekLowerCaseFilter(in);
      case "069-turkish" -> new TurkishLowerCaseFilter(in);
      case "070-irish" -> new IrishLowerCaseFilter(in);
      case "080-arabic" -> new ArabicStemFilter(in);
      case "081-brazilian" -> new BrazilianStemFilter(in);
      case "082-bulgarian" -> new BulgarianStemFilter(in);
      case "083-czech" -> new CzechStemFilter(in);
      case "084-english-minimal" -> new EnglishMinimalStemFilter(in);
      case "085-english-possessive" -> new EnglishPossessiveFilter(Version.LUCENE_4_10_4, in);
      case "086-finnish-light" -> new FinnishLightStemFilter(in);
      case "087-french-light" -> new FrenchLightStemFilter(in);
      case "088-french-minimal" -> new FrenchMinimalStemFilter(in);
      case "089-german-light" -> new GermanLightStemFilter(in);
      case "090-german-minimal" -> new GermanMinimalStemFilter(in);
      case "091-galician" -> new GalicianStemFilter(in);
      case "092-galician-minimal" -> new GalicianMinimalStemFilter(in);
      case "093-greek" -> new GreekStemFilter(in);
      case "094-hindi" -> new HindiStemFilter(in);
      case "095-hungarian-light" -> new HungarianLightStemFilter(in);
      case "096-indonesian" -> new IndonesianStemFilter(in);
      case "097-italian-light" -> new ItalianLightStemFilter(in);
      case "098-latvian" -> new LatvianStemFilter(in);
      case "099-norwegian-light" -> new NorwegianLightStemFilter(in);
      case "100-norwegian-minimal" -> new NorwegianMinimalStemFilter(in);
      case "101-nynorsk-light" -> new NorwegianLightStemFilter(in, NorwegianLightStemmer.NYNORSK);
      case "102-nynorsk-minimal" -> new NorwegianMinimalStemFilter(in, NorwegianLightStemmer.NYNORSK);
      case "103-portuguese-light" -> new PortugueseLightStemFilter(in);
      case "104-portuguese-minimal" -> new PortugueseMinimalStemFilter(in);
      case "105-portuguese-rslp" -> new PortugueseStemFilter(in);
      case "106-russian-light" -> new RussianLightStemFilter(in);
      case "107-sorani" -> new SoraniStemFilter(in);
      case "108-spanish-light" -> new SpanishLightStemFilter(in);
      case "109-swedish-light" -> new SwedishLightStemFilter(in);
      case "110-kstem" -> new KStemFilter(in);
      case "111-dutch" -> new DutchStemFilter(in);
      case "112-french" -> new FrenchStemFilter(in);
      case "113-german" -> new GermanStemFilter(in);
      default -> throw new IllegalArgumentException("no stemmer or normalizer " + name);
    };
  }

  /** One word as a stream, even the empty one, which no tokenizer would give. */
  private static final class One extends TokenStream {
    private final CharTermAttribute term = addAttribute(CharTermAttribute.class);
    private String word = "";
    private boolean given;

    @Override
    public boolean incrementToken() {
      if (given) return false;
      given = true;
      clearAttributes();
      term.append(word);
      return true;
    }
  }

  /** What a stemmer or normalizer makes of words, one by one. */
  static UnaryOperator<String> changer(String name) {
    One one = new One();
    TokenStream filter = filter(name, one);
    CharTermAttribute term = filter.getAttribute(CharTermAttribute.class);
    return word -> {
      try {
        one.word = word;
        one.given = false;
        filter.reset();
        filter.incrementToken();
        return term.toString();
      } catch (IOException e) {
        throw new IllegalStateException(e);
      }
    };
  }
}
