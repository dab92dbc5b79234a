package search;

import com.fasterxml.jackson.databind.JsonNode;

/** A point on the earth, in degrees. */
record GeoPoint(double lat, double lon) {
  private static final String BASE32 = "0123456789bcdefghjkmnpqrstuvwxyz";

  /** A point as documents and requests write it: {lat, lon}, {geohash}, [lon, lat], "lat,lon" or "geohash". */
  static GeoPoint parse(JsonNode value) {
    if (value.isTextual()) {
      return parse(value.asText());
    }
    if (value.isArray() && value.size() == 2 && value.get(0).isNumber() && value.get(1).isNumber()) {
      return new GeoPoint(value.get(1).doubleValue(), value.get(0).doubleValue());
    }
    if (value.has("lat") && value.has("lon")) {
      return new GeoPoint(degrees(value.get("lat").asText()), degrees(value.get("lon").asText()));
    }
    if (value.path("geohash").isTextual()) {
      return parse(value.get("geohash").asText());
    }
    throw new IllegalArgumentException("not a geo point: " + value);
  }

  static GeoPoint parse(String text) {
    int comma = text.indexOf(',');
    return comma < 0
        ? ofGeohash(text)
        : new GeoPoint(degrees(text.substring(0, comma)), degrees(text.substring(comma + 1)));
  }

  private static double degrees(String text) {
    try {
      return Double.parseDouble(text.trim());
    } catch (NumberFormatException e) {
      throw new IllegalArgumentException("not a number of degrees: [" + text + "]", e);
    }
  }

  /** The middle of a geohash cell. */
  private static GeoPoint ofGeohash(String hash) {
    double[] lat = {-90, 90};
    double[] lon = {-180, 180};
    boolean even = true;
    for (char c : hash.toCharArray()) {
      int bits = BASE32.indexOf(c);
      if (bits < 0) {
        throw new IllegalArgumentException("not a geohash: [" + hash + "]");
      }
      for (int mask = 16; mask != 0; mask >>= 1) {
        double[] interval = even ? lon : lat;
        interval[(bits & mask) != 0 ? 0 : 1] = (interval[0] + interval[1]) / 2;
        even = !even;
      }
    }
    return new GeoPoint((lat[0] + lat[1]) / 2, (lon[0] + lon[1]) / 2);
  }

  GeoPoint normalized() {
    return normalized(true);
  }

  /** The same place with its latitude within 90 and, if asked, its longitude within 180 degrees. */
  GeoPoint normalized(boolean longitude) {
    double newLat = lat;
    double newLon = lon;
    boolean normalizeLon = longitude && (lon > 180 || lon <= -180);
    if (lat > 90 || lat <= -90) {
      newLat = centered(lat);
      boolean overPole = newLat < -90 || newLat > 90;
      if (overPole) {
        newLat = (newLat < 0 ? -180 : 180) - newLat;
        newLon += normalizeLon || centered(lon) <= 0 ? 180 : -180;
      }
    }
    return new GeoPoint(newLat, normalizeLon ? centered(newLon) : newLon);
  }

  /** An angle within ]-180, 180]. */
  private static double centered(double angle) {
    double rest = angle % 360;
    if (rest <= 0) {
      rest += 360;
    }
    return rest > 180 ? rest - 360 : rest;
  }
}
