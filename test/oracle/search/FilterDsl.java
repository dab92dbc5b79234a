package search;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import org.apache.lucene.index.Term;
import org.apache.lucene.queries.TermFilter;
import org.apache.lucene.queries.TermsFilter;
import org.apache.lucene.search.BooleanClause.Occur;
import org.apache.lucene.search.Filter;
import org.apache.lucene.search.PrefixFilter;
import org.apache.lucene.search.QueryWrapperFilter;
import org.apache.lucene.search.TermRangeFilter;
import org.apache.lucene.util.BytesRef;

/** Makes Lucene filters of Elasticsearch 1.x filter JSON. An empty filter, {@code {}}, is null and left out. */
final class FilterDsl {
  private final Mapping mapping;
  private final QueryDsl queries;

  FilterDsl(Mapping mapping, QueryDsl queries) {
    this.mapping = mapping;
    this.queries = queries;
  }

  Filter parse(JsonNode json) {
    if (!json.isObject() || json.size() > 1) {
      throw new InputException("[_na] filter malformed: one filter object is expected, not " + json);
    }
    if (json.isEmpty()) {
      return null;
    }
    Map.Entry<String, JsonNode> only = json.fields().next();
    return parse(only.getKey(), only.getValue());
  }

  private Filter parse(String name, JsonNode body) {
    switch (name) { // and, or, not and query do not always hold an object
      case "and":
        return all(filters(name, body), true);
      case "or":
        return all(filters(name, body), false);
      case "not":
        return not(body);
      case "query":
        return new QueryWrapperFilter(queries.parse(body));
      default:
        return parse(name, new Params(name, body));
    }
  }

  private Filter parse(String name, Params params) {
    switch (name) {
      case "bool":
        return bool(params);
      case "match_all":
        return Filters.ALL;
      case "term":
        return term(params);
      case "terms", "in":
        return terms(params);
      case "range":
        return range(params);
      case "prefix":
        return prefix(params);
      case "exists":
        String existing = params.requiredText("field");
        params.end();
        return exists(existing);
      case "missing":
        return missing(params);
      case "ids":
        return ids(params);
      case "geo_distance":
        return geoDistance(params);
      case "geo_bounding_box", "geo_bbox":
        return geoBoundingBox(params);
      case "type":
        String type = params.requiredText("value");
        params.end();
        return type.equals(mapping.type) ? Filters.ALL : Filters.NONE;
      default:
        throw new InputException("No filter registered for [" + name + "]");
    }
  }

  private List<Filter> filters(String name, JsonNode body) {
    JsonNode list = body;
    if (body.isObject()) {
      Params params = new Params(name, body);
      list = params.take("filters");
      list = list == null ? params.field().getValue() : list;
      params.end();
    }
    List<Filter> result = new ArrayList<>();
    list.forEach(json -> addIfPresent(result, json));
    return result;
  }

  private void addIfPresent(List<Filter> filters, JsonNode json) {
    Filter filter = parse(json);
    if (filter != null) {
      filters.add(filter);
    }
  }

  private static Filter all(List<Filter> filters, boolean and) {
    return filters.isEmpty() ? null : and ? Filters.and(filters) : Filters.or(filters);
  }

  private Filter not(JsonNode body) {
    Params params = new Params("not", body);
    JsonNode named = params.take("filter");
    Filter inner;
    if (named != null) {
      inner = parse(named);
    } else {
      Map.Entry<String, JsonNode> only = params.field();
      inner = parse(only.getKey(), only.getValue());
    }
    params.end();
    return inner == null ? null : Filters.not(inner);
  }

  private Filter bool(Params params) {
    Map<Occur, List<Filter>> clauses = new EnumMap<>(Occur.class);
    for (Occur occur : Occur.values()) {
      clauses.put(occur, new ArrayList<>());
    }
    List<Map.Entry<String, JsonNode>> groups = params.rest();
    if (groups.isEmpty()) {
      throw params.fail("filter has no inner should/must/must_not elements");
    }
    for (Map.Entry<String, JsonNode> group : groups) {
      Occur occur = QueryDsl.occur(group.getKey(), params);
      QueryDsl.list(group.getValue()).forEach(json -> addIfPresent(clauses.get(occur), json));
    }
    return clauses.values().stream().allMatch(List::isEmpty)
        ? null
        : Filters.bool(clauses.get(Occur.MUST), clauses.get(Occur.SHOULD), clauses.get(Occur.MUST_NOT));
  }

  private Filter term(Params params) {
    Map.Entry<String, JsonNode> entry = params.field();
    String value = Json.text(entry.getValue());
    if (entry.getValue().isObject()) {
      Params inner = new Params("term", entry.getValue());
      value = inner.text("term", "value");
      inner.end();
    }
    if (value == null) {
      throw params.fail("No value specified for term filter");
    }
    params.end();
    return Filters.cached(termFilter(entry.getKey(), value));
  }

  private Filter termFilter(String name, String value) {
    FieldMapping field = mapping.field(name);
    return field == null ? new TermFilter(new Term(name, value)) : field.termFilter(value);
  }

  private Filter terms(Params params) {
    String execution = params.text("execution");
    Map.Entry<String, JsonNode> entry = params.field();
    params.end();
    if (!entry.getValue().isArray()) {
      throw params.fail("terms lookup is not covered");
    }
    List<Filter> filters = new ArrayList<>();
    entry.getValue().forEach(value -> filters.add(termFilter(entry.getKey(), value.asText())));
    if (filters.isEmpty()) {
      return Filters.NONE;
    }
    return Filters.cached(all(filters, execution != null && execution.startsWith("and")));
  }

  private Filter range(Params params) {
    params.take("execution");
    Map.Entry<String, JsonNode> entry = params.field();
    params.end();
    Range range = QueryDsl.range(new Params("range", entry.getValue()));
    FieldMapping field = mapping.field(entry.getKey());
    return Filters.cached(field != null ? field.rangeFilter(range) : new TermRangeFilter(entry.getKey(),
        bytes(range.from()), bytes(range.to()), range.includeLower(), range.includeUpper()));
  }

  private static BytesRef bytes(JsonNode value) {
    return value == null ? null : new BytesRef(value.asText());
  }

  private Filter prefix(Params params) {
    Map.Entry<String, JsonNode> entry = params.field();
    params.end();
    FieldMapping field = mapping.field(entry.getKey());
    String prefix = entry.getValue().asText();
    return Filters.cached(new PrefixFilter(field == null ? new Term(entry.getKey(), prefix) : field.term(prefix)));
  }

  /** Documents in which any field of that name, or any field of the object of that name, was indexed. */
  Filter exists(String name) {
    List<String> names = mapping.names(mapping.isObject(name) ? name + ".*" : name);
    if (names.isEmpty()) {
      return Filters.NONE;
    }
    List<Filter> filters = new ArrayList<>();
    for (String each : names) {
      FieldMapping field = mapping.field(each);
      filters.add(new TermFilter(new Term(Mapping.FIELD_NAMES, field == null ? each : field.name)));
    }
    return Filters.cached(Filters.or(filters));
  }

  Filter missing(String name) {
    return mapping.names(mapping.isObject(name) ? name + ".*" : name).isEmpty()
        ? Filters.ALL
        : Filters.not(exists(name));
  }

  private Filter missing(Params params) {
    String name = params.requiredText("field");
    if (!params.bool(true, "existence") || params.bool(false, "null_value")) {
      throw params.fail("only existence=true with null_value=false is covered");
    }
    params.end();
    return missing(name);
  }

  Filter ids(Params params) {
    JsonNode values = params.take("values");
    if (values == null) {
      throw params.fail("requires providing a values element");
    }
    JsonNode types = params.take("type", "types", "_type");
    params.end();
    List<BytesRef> uids = new ArrayList<>();
    for (JsonNode id : QueryDsl.list(values)) {
      if (types == null || types.isEmpty() && !types.isTextual()) {
        uids.add(new BytesRef(mapping.uid(id.asText())));
      } else {
        QueryDsl.list(types).forEach(type -> uids.add(new BytesRef(type.asText() + "#" + id.asText())));
      }
    }
    return uids.isEmpty() ? Filters.NONE : new TermsFilter(Mapping.UID, uids);
  }

  private Filter geoDistance(Params params) {
    JsonNode given = params.take("distance");
    if (given == null) {
      throw params.fail("requires [distance]");
    }
    String unit = params.text("unit");
    double unitInMetres = unit == null ? 1 : GeoDistance.unitInMetres(unit);
    double metres = given.isNumber()
        ? given.doubleValue() * unitInMetres
        : GeoDistance.metres(given.asText(), unitInMetres);
    String type = params.text("distance_type");
    GeoDistance distance = type == null ? GeoDistance.SLOPPY_ARC : GeoDistance.named(type);
    boolean checkBox = !"none".equals(params.text("optimize_bbox"));
    boolean normalize = params.bool(true, "normalize");
    Map.Entry<String, JsonNode> entry = params.field();
    params.end();
    GeoPointMapping field = geoField(entry.getKey(), params);
    GeoPoint centre = GeoPoint.parse(entry.getValue());
    return Filters.within(field, normalize ? centre.normalized() : centre, metres, distance, checkBox);
  }

  private Filter geoBoundingBox(Params params) {
    boolean normalize = params.bool(true, "normalize");
    params.take("type");
    Map.Entry<String, JsonNode> entry = params.field();
    params.end();
    Params box = new Params(params.owner, entry.getValue());
    double top = Double.NaN;
    double left = Double.NaN;
    double bottom = Double.NaN;
    double right = Double.NaN;
    for (Map.Entry<String, JsonNode> side : box.rest()) {
      switch (side.getKey()) {
        case "top" -> top = side.getValue().asDouble();
        case "left" -> left = side.getValue().asDouble();
        case "bottom" -> bottom = side.getValue().asDouble();
        case "right" -> right = side.getValue().asDouble();
        default -> {
          GeoPoint corner = GeoPoint.parse(side.getValue());
          switch (side.getKey()) {
            case "top_left" -> { top = corner.lat(); left = corner.lon(); }
            case "top_right" -> { top = corner.lat(); right = corner.lon(); }
            case "bottom_left" -> { bottom = corner.lat(); left = corner.lon(); }
            case "bottom_right" -> { bottom = corner.lat(); right = corner.lon(); }
            default -> throw box.fail("does not support [" + side.getKey() + "]");
          }
        }
      }
    }
    if (normalize) {
      boolean aroundTheWorld = (right - left) % 360 == 0 && right > left;
      GeoPoint topLeft = new GeoPoint(top, left).normalized(!aroundTheWorld);
      GeoPoint bottomRight = new GeoPoint(bottom, right).normalized(!aroundTheWorld);
      top = topLeft.lat();
      bottom = bottomRight.lat();
      left = aroundTheWorld ? -180 : topLeft.lon();
      right = aroundTheWorld ? 180 : bottomRight.lon();
    }
    return Filters.within(geoField(entry.getKey(), params), new GeoDistance.Box(top, left, bottom, right));
  }

  private GeoPointMapping geoField(String name, Params params) {
    if (mapping.field(name) instanceof GeoPointMapping field) {
      return field;
    }
    throw params.fail("field [" + name + "] is not a geo_point field");
  }
}
