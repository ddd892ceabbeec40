package dev.millrace.loadgen;

import java.util.Arrays;
import java.util.Locale;
import java.util.Map;

/** Keys and values of one property file during validation. */
final class GeneratorProperties
{
    private final String file;
    private final Map<String, String> values;

    GeneratorProperties(final String file, final Map<String, String> values) throws GeneratorException
    {
        this.file = file;
        this.values = values;
        for (final String key : values.keySet())
        {
            if (GeneratorProperty.byKey(key) == null)
            {
                final GeneratorProperty near = GeneratorProperty.nearest(key);
                throw new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0102 unknown key, file=" + file +
                    " key=" + key + (near == null ? "; remove it, --help lists the keys" :
                    "; did you mean " + near.key() + "?"));
            }
        }
    }

    boolean isSet(final GeneratorProperty setting)
    {
        return values.containsKey(setting.key());
    }

    String text(final GeneratorProperty setting)
    {
        final String value = values.get(setting.key());
        return value == null || value.isBlank() ? setting.defaultValue() : value.strip();
    }

    int integer(final GeneratorProperty setting, final int min, final int max) throws GeneratorException
    {
        return (int)whole(setting, min, max);
    }

    long integer64(final GeneratorProperty setting, final long min) throws GeneratorException
    {
        return whole(setting, min, Long.MAX_VALUE);
    }

    private long whole(final GeneratorProperty setting, final long min, final long max) throws GeneratorException
    {
        try
        {
            final long value = Long.parseLong(text(setting));
            if (value >= min && value <= max)
            {
                return value;
            }
        }
        catch (final NumberFormatException notWhole)
        {
            throw bad(setting, "is not a whole number; specify one from " + min + " to " + max);
        }
        throw bad(setting, "is out of range; specify a number from " + min + " to " + max);
    }

    double number(final GeneratorProperty setting) throws GeneratorException
    {
        try
        {
            final double value = Double.parseDouble(text(setting));
            if (value > 0 && value <= 1e9)
            {
                return value;
            }
        }
        catch (final NumberFormatException noNumber)
        {
            throw bad(setting, "is not a number; specify events per second" + (setting == GeneratorProperty.RATE
                ? " or max" : ""));
        }
        throw bad(setting, "is out of range; specify a number above 0 and up to 1000000000");
    }

    boolean bool(final GeneratorProperty setting) throws GeneratorException
    {
        final String value = text(setting).toLowerCase(Locale.ROOT);
        if (!value.equals("true") && !value.equals("false"))
        {
            throw bad(setting, "is neither true nor false; correct it");
        }
        return value.equals("true");
    }

    <E extends Enum<E>> E choice(final GeneratorProperty setting, final Class<E> choices) throws GeneratorException
    {
        final String value = text(setting);
        for (final E choice : choices.getEnumConstants())
        {
            if (choice.name().equalsIgnoreCase(value))
            {
                return choice;
            }
        }
        throw bad(setting, (value == null ? "is missing" : "is not supported") + "; specify one of " +
            Arrays.toString(choices.getEnumConstants()).toLowerCase(Locale.ROOT));
    }

    GeneratorException bad(final GeneratorProperty setting, final String fact)
    {
        final String problem = fact.split(";")[0];
        return new GeneratorException(GeneratorException.EXIT_SETTINGS, "GEN-0103 value of a key " + problem +
            ", file=" + file + " key=" + setting.key() + " value=" + values.get(setting.key()) +
            (fact.indexOf(';') < 0 ? "" : fact.substring(fact.indexOf(';'))));
    }
}
