package search;

import java.time.DateTimeException;
import java.time.DayOfWeek;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.time.ZonedDateTime;
import java.time.temporal.ChronoUnit;
import java.time.temporal.TemporalAdjusters;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Dates in the dateOptionalTime format, and date math such as {@code 2014-11-18||-1M/d}. */
final class Dates {
  private static final Pattern FORMAT = Pattern.compile(
      "([+-]?\\d{1,9})(?:-(\\d{1,2})(?:-(\\d{1,2})"
      + "(?:T(?:(\\d{1,2})(?::(\\d{1,2})(?::(\\d{1,2})(?:[.,](\\d+))?)?)?)?(Z|[+-]\\d{2}(?::?\\d{2})?)?)?)?)?");

  private Dates() {
  }

  /** A date; one that is no date but a whole number is milliseconds since the epoch. */
  static long parseOrMillis(String text, ZoneId zone, boolean roundUp) {
    try {
      return parse(text, zone, roundUp);
    } catch (IllegalArgumentException e) {
      try {
        return Long.parseLong(text);
      } catch (NumberFormatException notMillis) {
        throw e;
      }
    }
  }

  /**
  * A date. Of the parts that are left out, month and day are the first; the time is the first
  * of the day or, rounding up, the last.
  */
  static long parse(String text, ZoneId zone, boolean roundUp) {
    Matcher m = FORMAT.matcher(text);
    if (!m.matches()) {
      throw new IllegalArgumentException("failed to parse the date [" + text + "]");
    }
    try {
      int millis = m.group(7) == null ? roundUp ? 999 : 0 : Integer.parseInt((m.group(7) + "00").substring(0, 3));
      LocalDateTime local = LocalDateTime.of(
          Integer.parseInt(m.group(1)), number(m.group(2), 1), number(m.group(3), 1),
          number(m.group(4), roundUp ? 23 : 0), number(m.group(5), roundUp ? 59 : 0),
          number(m.group(6), roundUp ? 59 : 0), millis * 1_000_000);
      ZoneId chosen = m.group(8) != null ? ZoneOffset.of(m.group(8)) : zone != null ? zone : ZoneOffset.UTC;
      return local.atZone(chosen).toInstant().toEpochMilli();
    } catch (DateTimeException e) {
      throw new IllegalArgumentException("failed to parse the date [" + text + "]: " + e.getMessage(), e);
    }
  }

  private static int number(String digits, int defaultValue) {
    return digits == null ? defaultValue : Integer.parseInt(digits);
  }

  /** A date with math: {@code now} or {@code DATE||}, then any of {@code +1d}, {@code -1M}, {@code /d}. */
  static long parseMath(String text, boolean roundUp, ZoneId zone) {
    if (text.startsWith("now")) {
      return apply(text.substring(3), System.currentTimeMillis(), roundUp, zone);
    }
    int bars = text.indexOf("||");
    long time = parseOrMillis(bars < 0 ? text : text.substring(0, bars), zone, roundUp);
    return bars < 0 ? time : apply(text.substring(bars + 2), time, roundUp, zone);
  }

  private static final Pattern STEP = Pattern.compile("\\G([+-]\\d*|/1?)([yMwdhHms])");

  private static long apply(String math, long millis, boolean roundUp, ZoneId zone) {
    ZonedDateTime time = Instant.ofEpochMilli(millis).atZone(zone == null ? ZoneOffset.UTC : zone);
    Matcher m = STEP.matcher(math);
    int end = 0;
    while (m.find()) {
      ChronoUnit unit = unit(m.group(2));
      String operation = m.group(1);
      if (operation.startsWith("/")) {
        ZonedDateTime floor = floor(time, unit);
        if (!roundUp) {
          time = floor;
        } else { // the last millisecond of the unit, or the one before an exact start
          time = (floor.equals(time) ? floor : floor.plus(1, unit)).minus(1, ChronoUnit.MILLIS);
        }
      } else {
        time = time.plus(Integer.parseInt(operation.length() == 1 ? operation + "1" : operation), unit);
      }
      end = m.end();
    }
    if (end != math.length()) {
      throw new IllegalArgumentException("bad date math [" + math + "]");
    }
    return time.toInstant().toEpochMilli();
  }

  private static ChronoUnit unit(String letter) {
    return switch (letter) {
      case "y" -> ChronoUnit.YEARS;
      case "M" -> ChronoUnit.MONTHS;
      case "w" -> ChronoUnit.WEEKS;
      case "d" -> ChronoUnit.DAYS;
      case "m" -> ChronoUnit.MINUTES;
      case "s" -> ChronoUnit.SECONDS;
      default -> ChronoUnit.HOURS;
    };
  }

  private static ZonedDateTime floor(ZonedDateTime time, ChronoUnit unit) {
    return switch (unit) {
      case YEARS -> time.withDayOfYear(1).truncatedTo(ChronoUnit.DAYS);
      case MONTHS -> time.withDayOfMonth(1).truncatedTo(ChronoUnit.DAYS);
      case WEEKS -> time.with(TemporalAdjusters.previousOrSame(DayOfWeek.MONDAY)).truncatedTo(ChronoUnit.DAYS);
      default -> time.truncatedTo(unit);
    };
  }

  /** A time zone: an offset such as {@code +01:00} or {@code -2:30}, or a name. */
  static ZoneId zone(String text) {
    try {
      Matcher m = Pattern.compile("([+-]?)(\\d{1,2}):(\\d{2})").matcher(text);
      if (m.matches()) {
        int minutes = Integer.parseInt(m.group(2)) * 60 + Integer.parseInt(m.group(3));
        return ZoneOffset.ofTotalSeconds((m.group(1).equals("-") ? -60 : 60) * minutes);
      }
      return ZoneId.of(text);
    } catch (DateTimeException e) {
      throw new InputException("bad time zone [" + text + "]", e);
    }
  }
}
