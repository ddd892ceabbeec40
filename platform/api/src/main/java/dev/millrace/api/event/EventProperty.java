package dev.millrace.api.event;

import java.util.Objects;

/**
 * One named field of an event type.
 *
 * @param name        name; compared without case in CQL
 * @param type        CQL type
 * @param lengthChars maximum number of characters of a {@link CqlType#CHAR} value; ignored for other types
 */
public record EventProperty(String name, CqlType type, int lengthChars)
{
    /** Length of a char property that declares none. */
    public static final int DEFAULT_LENGTH_CHARS = 256;

    /** Maximum length a char property may declare. */
    public static final int MAX_LENGTH_CHARS = 4096;

    /** Checks the arguments. */
    public EventProperty
    {
        Objects.requireNonNull(name, "name");
        Objects.requireNonNull(type, "type");
        if (lengthChars < 1 || lengthChars > MAX_LENGTH_CHARS)
        {
            throw new IllegalArgumentException(
                "length must be 1 to " + MAX_LENGTH_CHARS + ", property=" + name + " length=" + lengthChars);
        }
    }

    /**
     * Creates a property of the default length.
     *
     * @param name name
     * @param type type
     */
    public EventProperty(final String name, final CqlType type)
    {
        this(name, type, DEFAULT_LENGTH_CHARS);
    }
}
