package dev.millrace.adapter.file.property;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/** Validation of single instance properties. Thread-safe. */
public final class InstanceProperty
{
    private InstanceProperty()
    {
    }

    /** Refuses a property that is out of range. */
    public static void range(
        final String stageName, final String name, final int value, final int least, final int most)
    {
        if (value < least || value > most)
        {
            throw wrong(stageName, name, String.valueOf(value), "use " + least + " to " + most);
        }
    }

    /** The refusal of a property. */
    public static IllegalArgumentException wrong(
        final String stageName, final String name, final String value, final String next)
    {
        return new IllegalArgumentException(FileErrorCode.PROPERTY.message("an instance property is " +
            (value == null ? "missing" : "invalid") + ", stage=" + stageName + " name=" + name +
            (value == null ? "" : " value=" + value), next));
    }

    /** A path, relative to the directory of the domain. */
    public static Path path(final String stageName, final String name, final String text)
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
        throw wrong(stageName, name, text, "write a path, absolute or relative to the directory of the domain");
    }

    /** A separator of values: one character, or {@code tab}. */
    public static char separator(final String stageName, final String text)
    {
        final String value = text.equals("tab") ? "\t" : text;
        if (value.length() != 1 || "\"\n\r".contains(value))
        {
            throw wrong(stageName, "separator", text, "use one character such as ; or the word tab");
        }
        return value.charAt(0);
    }
}
