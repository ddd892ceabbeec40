package dev.millrace.cql.compiler.janino;

import java.util.Map;

/**
 * Stores class files of generated source text, so that the same text, usually in a later process, is not compiled
 * again. Implementations are thread-safe.
 *
 * <p>Failure: no method throws when something cannot be read or written; the text is then compiled.
 */
public interface ClassCache
{
    /** Stores nothing. */
    ClassCache NONE = new ClassCache()
    {
        @Override
        public Map<String, byte[]> find(final String className, final String javaText)
        {
            return null;
        }

        @Override
        public void keep(final String className, final String javaText, final Map<String, byte[]> classFiles)
        {
            // Nothing is stored, so the text is compiled again.
        }

        @Override
        public void refused(final String className, final String javaText, final Throwable reason)
        {
            throw new IllegalStateException("a store without files has found a class, class=" + className);
        }
    };

    /**
     * Finds the class files stored for a source text.
     *
     * @param className full name of the class in the source text
     * @param javaText  one compilation unit
     * @return class files by full name of their class, as they were stored; {@code null} when none are stored
     */
    Map<String, byte[]> find(String className, String javaText);

    /**
     * Stores the class files of a source text and replaces existing ones. Returns at once; the files may be written
     * later.
     *
     * @param className  full name of the class in the source text
     * @param javaText   one compilation unit
     * @param classFiles by full name of their class; must not be modified
     */
    void keep(String className, String javaText, Map<String, byte[]> classFiles);

    /**
     * Reports that the JVM has rejected stored class files. The next class files stored for the text replace them.
     *
     * @param className full name of the class in the source text
     * @param javaText  one compilation unit
     * @param reason    error of the JVM
     */
    void refused(String className, String javaText, Throwable reason);
}
