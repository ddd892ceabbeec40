package dev.millrace.cql.planner;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;

/** Needed by {@link Needy}. */
public final class Needed
{
    private Needed()
    {
    }

    /** {@link Needy} in a class loader that lacks this class. */
    static Class<?> missing()
    {
        try (InputStream in = Needy.class.getResourceAsStream("Needy.class"))
        {
            final byte[] bytes = in.readAllBytes();
            return new ClassLoader(null)
            {
                Class<?> define()
                {
                    return defineClass(Needy.class.getName(), bytes, 0, bytes.length);
                }
            }.define();
        }
        catch (final IOException failure)
        {
            throw new UncheckedIOException(failure);
        }
    }
}
