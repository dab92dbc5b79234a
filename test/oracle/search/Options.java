package search;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The command line after the subcommand: {@code --name value} pairs and {@code --flag}s. */
final class Options {
  private final Map<String, String> values = new HashMap<>();

  Options(List<String> args, Set<String> valued, Set<String> flags) {
    for (int i = 0; i < args.size(); i++) {
      String name = args.get(i);
      if (flags.contains(name)) {
        values.put(name, "");
      } else if (!valued.contains(name)) {
        throw new InputException("unknown option " + name);
      } else if (++i == args.size()) {
        throw new InputException(name + " needs a value");
      } else {
        values.put(name, args.get(i));
      }
    }
  }

  boolean has(String name) {
    return values.containsKey(name);
  }

  String get(String name) {
    return values.get(name);
  }

  String required(String name) {
    String value = values.get(name);
    if (value == null) {
      throw new InputException(name + " is required");
    }
    return value;
  }

  int intValue(String name, int defaultValue, int least) {
    String value = values.get(name);
    if (value == null) {
      return defaultValue;
    }
    try {
      int number = Integer.parseInt(value);
      if (number >= least) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new InputException(name + " must be an integer of at least " + least + ", not " + value);
  }

  double positive(String name) {
    String value = required(name);
    try {
      double number = Double.parseDouble(value);
      if (number > 0 && number < 1e6) {
        return number;
      }
    } catch (NumberFormatException e) {
      // reported below
    }
    throw new InputException(name + " must be a positive number, not " + value);
  }
}
