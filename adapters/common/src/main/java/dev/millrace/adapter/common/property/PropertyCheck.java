package dev.millrace.adapter.common.property;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/**
 * Validates single instance properties of a stage. Immutable.
 *
 * @param code      of the adapter for a missing or invalid property
 * @param stageName application and stage, for messages
 */
public record PropertyCheck(ErrorCode code, String stageName)
{
    /**
     * Refuses a property that is out of range.
     *
     * @throws IllegalArgumentException if it is
     */
    public void range(final String name, final long value, final long least, final long most)
    {
        if (value < least || value > most)
        {
            throw wrong(name, String.valueOf(value), "use " + least + " to " + most);
        }
    }

    /** The refusal of a property; a value of {@code null} means that it is missing. */
    public IllegalArgumentException wrong(final String name, final String value, final String next)
    {
        return new IllegalArgumentException(code.message("an instance property is " +
            (value == null ? "missing" : "invalid") + ", stage=" + stageName + " name=" + name +
            (value == null ? "" : " value=" + value), next));
    }

    /**
     * Refuses a property unless a condition holds.
     *
     * @throws IllegalArgumentException if it does not
     */
    public void require(final String name, final String value, final boolean isRight, final String next)
    {
        if (!isRight)
        {
            throw wrong(name, value, next);
        }
    }

    /**
     * A constant by its name in lower case.
     *
     * @throws IllegalArgumentException if no constant has this name
     */
    public <E extends Enum<E>> E choice(final Class<E> of, final String name, final String value, final String next)
    {
        return Arrays.stream(of.getEnumConstants())
            .filter(each -> each.name().toLowerCase(Locale.ROOT).equals(value)).findFirst()
            .orElseThrow(() -> wrong(name, value, next));
    }

    /**
     * Which of two words a property is.
     *
     * @return whether it is the first one
     * @throws IllegalArgumentException if it is neither
     */
    public boolean is(final String name, final String value, final String yes, final String no)
    {
        require(name, value, value.equals(yes) || value.equals(no), "use " + no + " or " + yes);
        return value.equals(yes);
    }

    /**
     * A list separated by commas.
     *
     * @return {@code null} for {@code null}
     * @throws IllegalArgumentException if an element is empty
     */
    public List<String> names(final String name, final String value, final String next)
    {
        if (value == null)
        {
            return null;
        }
        final List<String> names = Arrays.stream(value.split(",", -1)).map(String::strip).toList();
        require(name, value, names.stream().noneMatch(String::isEmpty), next);
        return names;
    }

    /**
     * A path, relative to the directory of the domain.
     *
     * @throws IllegalArgumentException if it is missing or no path
     */
    public Path path(final String name, final String text)
    {
        try
        {
            if (text != null && !text.isBlank())
            {
                return Path.of(System.getProperty("wlevs.domain.home", "")).toAbsolutePath().resolve(text.strip())
                    .normalize();
            }
        }
        catch (final InvalidPathException e)
        {
            // Reported below.
        }
        throw wrong(name, text, "write a path, absolute or relative to the directory of the domain");
    }

    /**
     * A separator of values: one character, or {@code tab}.
     *
     * @throws IllegalArgumentException if it is neither
     */
    public char separator(final String text)
    {
        final String value = text.equals("tab") ? "\t" : text;
        if (value.length() != 1 || "\"\n\r".contains(value))
        {
            throw wrong("separator", text, "use one character such as ; or the word tab");
        }
        return value.charAt(0);
    }
}
