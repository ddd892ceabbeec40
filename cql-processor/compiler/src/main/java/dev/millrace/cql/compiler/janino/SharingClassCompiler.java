package dev.millrace.cql.compiler.janino;

import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Creates one class for equal source text and keeps it as long as it is in use: queries that differ only in
 * literals and names share a class, its compiled code and its class loader, whichever processor they belong to.
 * Generated classes have no static state, so sharing is invisible.
 *
 * <p>Thread-safe; two threads that request the same source text at the same time may both make a class. Bounded by the
 * classes that are loaded: an entry contains a digest of the source text, not the text, which is larger than the class.
 */
final class SharingClassCompiler implements ClassCompiler
{
    private final ClassCompiler maker;
    private final Map<ByteBuffer, Made> classes = new ConcurrentHashMap<>();
    private final ReferenceQueue<Class<?>> unloaded = new ReferenceQueue<>();

    SharingClassCompiler(final ClassCompiler maker)
    {
        this.maker = maker;
    }

    @Override
    public Class<?> make(final String className, final String javaText, final ClassLoader parent)
    {
        for (Object gone = unloaded.poll(); gone != null; gone = unloaded.poll())
        {
            classes.remove(((Made)gone).digest, gone);
        }
        final ByteBuffer digest = digest(javaText);
        final Made known = classes.get(digest);
        final Class<?> shared = known == null ? null : known.get();
        if (shared != null && shared.getName().equals(className) && shared.getClassLoader().getParent() == parent)
        {
            return shared;
        }
        final Class<?> made = maker.make(className, javaText, parent);
        classes.put(digest, new Made(made, digest));
        return made;
    }

    private static ByteBuffer digest(final String javaText)
    {
        try
        {
            return ByteBuffer.wrap(
                MessageDigest.getInstance("SHA-256").digest(javaText.getBytes(StandardCharsets.UTF_8)));
        }
        catch (final NoSuchAlgorithmException impossible)
        {
            throw new IllegalStateException("every Java runtime has SHA-256", impossible);
        }
    }

    /** A class and the digest of the source text that it was made from. */
    private final class Made extends WeakReference<Class<?>>
    {
        private final ByteBuffer digest;

        Made(final Class<?> type, final ByteBuffer digest)
        {
            super(type, unloaded);
            this.digest = digest;
        }
    }
}
