package search;

import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.lucene.util.SloppyMath;

/** Distances in metres and the ways Elasticsearch 1.7 computes them. */
enum GeoDistance {
  PLANE {
    @Override
    double between(double lat1, double lon1, double lat2, double lon2) {
      double x = lon2 - lon1;
      double y = lat2 - lat1;
      return Math.sqrt(x * x + y * y) * (EQUATOR / 360);
    }
  },
  ARC {
    @Override
    double between(double lat1, double lon1, double lat2, double lon2) {
      double x1 = lat1 * Math.PI / 180D;
      double x2 = lat2 * Math.PI / 180D;
      double h1 = 1D - Math.cos(x1 - x2);
      double h2 = 1D - Math.cos((lon1 - lon2) * Math.PI / 180D);
      double h = (h1 + Math.cos(x1) * Math.cos(x2) * h2) / 2;
      double diameter = SloppyMath.earthDiameter((x1 + x2) / 2) * 1000;
      return diameter * Math.asin(Math.min(1, Math.sqrt(h)));
    }
  },
  SLOPPY_ARC {
    @Override
    double between(double lat1, double lon1, double lat2, double lon2) {
      return SloppyMath.haversin(lat1, lon1, lat2, lon2) * 1000.0;
    }
  };

  private static final double EQUATOR = 2 * Math.PI * 6378137.0;
  private static final double SEMI_MINOR_AXIS = 6356752.314245;

  /** Metres by unit name. The order is that in which the end of a distance is compared with the names. */
  private static final Map<String, Double> UNITS = new LinkedHashMap<>();

  static {
    unit(0.0254, "in", "inch");
    unit(0.9144, "yd", "yards");
    unit(0.3048, "ft", "feet");
    unit(1000.0, "km", "kilometers");
    unit(1852.0, "NM", "nmi", "nauticalmiles");
    unit(0.001, "mm", "millimeters");
    unit(0.01, "cm", "centimeters");
    unit(1609.344, "mi", "miles");
    unit(1, "m", "meters");
  }

  private static void unit(double metres, String... names) {
    for (String name : names) {
      UNITS.put(name, metres);
    }
  }

  abstract double between(double lat1, double lon1, double lat2, double lon2);

  static GeoDistance named(String name) {
    return switch (name) {
      case "plane" -> PLANE;
      case "arc" -> ARC;
      case "sloppy_arc" -> SLOPPY_ARC;
      default -> throw new InputException("the distance_type [" + name + "] is not covered");
    };
  }

  static double unitInMetres(String name) {
    Double metres = UNITS.get(name);
    if (metres == null) {
      throw new InputException("unknown distance unit [" + name + "]");
    }
    return metres;
  }

  /** A distance such as "12km"; one without a unit is in the given one. */
  static double metres(String text, double defaultUnit) {
    for (Map.Entry<String, Double> unit : UNITS.entrySet()) {
      if (text.endsWith(unit.getKey())) {
        return number(text.substring(0, text.length() - unit.getKey().length())) * unit.getValue();
      }
    }
    return number(text) * defaultUnit;
  }

  private static double number(String text) {
    try {
      return Double.parseDouble(text);
    } catch (NumberFormatException e) {
      throw new InputException("bad distance [" + text + "]", e);
    }
  }

  /** The box around all points within a distance of one, checked before any exact distance is computed. */
  static Box box(GeoPoint centre, double metres) {
    double angle = metres / SEMI_MINOR_AXIS;
    double lat = Math.toRadians(centre.lat());
    double lon = Math.toRadians(centre.lon());
    double pole = Math.toRadians(90d);
    double antimeridian = Math.toRadians(180d);
    double south = lat - angle;
    double north = lat + angle;
    double west = -antimeridian;
    double east = antimeridian;
    if (south > -pole && north < pole) {
      double delta = Math.asin(Math.sin(angle) / Math.cos(lat));
      west = lon - delta;
      if (west < -antimeridian) {
        west += 2d * Math.PI;
      }
      east = lon + delta;
      if (east > antimeridian) {
        east -= 2d * Math.PI;
      }
    } else {
      south = Math.max(south, -pole);
      north = Math.min(north, pole);
    }
    return new Box(Math.toDegrees(north), Math.toDegrees(west), Math.toDegrees(south), Math.toDegrees(east));
  }

  /** A box in degrees, edges included; one whose left is greater than its right crosses the antimeridian. */
  record Box(double top, double left, double bottom, double right) {
    boolean contains(double lat, double lon) {
      return lat <= top && lat >= bottom
          && (left > right ? lon >= left || lon <= right : lon >= left && lon <= right);
    }
  }
}
