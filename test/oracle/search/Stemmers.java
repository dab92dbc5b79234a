package search;

import java.util.Locale;
import java.util.function.UnaryOperator;
import org.apache.lucene.analysis.TokenStream;
import org.apache.lucene.analysis.ar.ArabicStemFilter;
import org.apache.lucene.analysis.bg.BulgarianStemFilter;
import org.apache.lucene.analysis.br.BrazilianStemFilter;
import org.apache.lucene.analysis.ckb.SoraniStemFilter;
import org.apache.lucene.analysis.cz.CzechStemFilter;
import org.apache.lucene.analysis.de.GermanLightStemFilter;
import org.apache.lucene.analysis.de.GermanMinimalStemFilter;
import org.apache.lucene.analysis.el.GreekStemFilter;
import org.apache.lucene.analysis.en.EnglishMinimalStemFilter;
import org.apache.lucene.analysis.en.EnglishPossessiveFilter;
import org.apache.lucene.analysis.en.KStemFilter;
import org.apache.lucene.analysis.en.PorterStemFilter;
import org.apache.lucene.analysis.es.SpanishLightStemFilter;
import org.apache.lucene.analysis.fi.FinnishLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchLightStemFilter;
import org.apache.lucene.analysis.fr.FrenchMinimalStemFilter;
import org.apache.lucene.analysis.gl.GalicianMinimalStemFilter;
import org.apache.lucene.analysis.gl.GalicianStemFilter;
import org.apache.lucene.analysis.hi.HindiStemFilter;
import org.apache.lucene.analysis.hu.HungarianLightStemFilter;
import org.apache.lucene.analysis.id.IndonesianStemFilter;
import org.apache.lucene.analysis.it.ItalianLightStemFilter;
import org.apache.lucene.analysis.lv.LatvianStemFilter;
import org.apache.lucene.analysis.no.NorwegianLightStemFilter;
import org.apache.lucene.analysis.no.NorwegianLightStemmer;
import org.apache.lucene.analysis.no.NorwegianMinimalStemFilter;
import org.apache.lucene.analysis.pt.PortugueseLightStemFilter;
import org.apache.lucene.analysis.pt.PortugueseMinimalStemFilter;
import org.apache.lucene.analysis.pt.PortugueseStemFilter;
import org.apache.lucene.analysis.ru.RussianLightStemFilter;
import org.apache.lucene.analysis.snowball.SnowballFilter;
import org.apache.lucene.analysis.sv.SwedishLightStemFilter;

/** The {@code stemmer} token filter: which stemmer each language name selects in Elasticsearch 1.7. */
final class Stemmers {
  private Stemmers() {
  }

  static UnaryOperator<TokenStream> create(String language) {
    return switch (Analysis.canonical(language)) {
      case "arabic" -> ArabicStemFilter::new;
      case "brazilian" -> BrazilianStemFilter::new;
      case "bulgarian" -> BulgarianStemFilter::new;
      case "czech" -> CzechStemFilter::new;
      case "dutchkp", "kp" -> snowball("Kp");
      case "english", "porter" -> PorterStemFilter::new;
      case "lightenglish", "kstem" -> KStemFilter::new;
      case "porter2" -> snowball("English");
      case "minimalenglish" -> EnglishMinimalStemFilter::new;
      case "possessiveenglish" -> in -> new EnglishPossessiveFilter(Analysis.VERSION, in);
      case "lightfinish", "lightfinnish" -> FinnishLightStemFilter::new;
      case "lightfrench" -> FrenchLightStemFilter::new;
      case "minimalfrench" -> FrenchMinimalStemFilter::new;
      case "galician" -> GalicianStemFilter::new;
      case "minimalgalician" -> GalicianMinimalStemFilter::new;
      case "lightgerman" -> GermanLightStemFilter::new;
      case "minimalgerman" -> GermanMinimalStemFilter::new;
      case "greek" -> GreekStemFilter::new;
      case "hindi" -> HindiStemFilter::new;
      case "lighthungarian" -> HungarianLightStemFilter::new;
      case "indonesian" -> IndonesianStemFilter::new;
      case "lightitalian" -> ItalianLightStemFilter::new;
      case "latvian" -> LatvianStemFilter::new;
      case "lightnorwegian" -> NorwegianLightStemFilter::new;
      case "minimalnorwegian" -> NorwegianMinimalStemFilter::new;
      case "lightnynorsk" -> in -> new NorwegianLightStemFilter(in, NorwegianLightStemmer.NYNORSK);
      case "minimalnynorsk" -> in -> new NorwegianMinimalStemFilter(in, NorwegianLightStemmer.NYNORSK);
      case "lightportuguese" -> PortugueseLightStemFilter::new;
      case "minimalportuguese" -> PortugueseMinimalStemFilter::new;
      case "portugueserslp" -> PortugueseStemFilter::new;
      case "lightrussian" -> RussianLightStemFilter::new;
      case "lightspanish" -> SpanishLightStemFilter::new;
      case "sorani" -> SoraniStemFilter::new;
      case "lightswedish" -> SwedishLightStemFilter::new;
      // armenian, basque, catalan, danish, dutch, finnish, french, german, german2, hungarian, irish,
      // italian, lovins, norwegian, portuguese, romanian, russian, spanish, swedish, turkish
      default -> snowball(capitalize(language));
    };
  }

  static String capitalize(String text) {
    return text.isEmpty() ? text : text.substring(0, 1).toUpperCase(Locale.ROOT) + text.substring(1);
  }

  private static UnaryOperator<TokenStream> snowball(String program) {
    return in -> new SnowballFilter(in, program);
  }
}
