package dev.millrace.cql.compiler;

import java.util.Map;

/**
 * Keeps class files of generated texts, so that a text that comes again, in a later process as a rule, is not compiled
 * again. Implementations are safe for all threads.
 *
 * <p>Failure: none of these methods throws because something cannot be read or written; the text is compiled then.
 */
public interface ClassStore
{
    /** Keeps nothing. */
    ClassStore NONE = new ClassStore()
    {
        @Override
        public Map<String, byte[]> find(final String className, final String javaText)
        {
            return null;
        }

        @Override
        public void keep(final String className, final String javaText, final Map<String, byte[]> classFiles)
        {
            // Whoever has nowhere to keep them compiles again.
        }

        @Override
        public void refused(final String className, final String javaText, final Throwable reason)
        {
            throw new IllegalStateException("a store that keeps nothing has found something, class=" + className);
        }
    };

    /**
     * What was kept for a text.
     *
     * @param className full name of the class in the text
     * @param javaText  one compilation unit
     * @return class files by full name of their class, as they were kept; {@code null} when there are none
     */
    Map<String, byte[]> find(String className, String javaText);

    /**
     * Keeps what was made of a text, in place of what is there. Returns at once; the files may be written later.
     *
     * @param className  full name of the class in the text
     * @param javaText   one compilation unit
     * @param classFiles by full name of their class; nobody changes them
     */
    void keep(String className, String javaText, Map<String, byte[]> classFiles);

    /**
     * Says that Java does not take what was found. What is kept next for the text replaces it.
     *
     * @param className full name of the class in the text
     * @param javaText  one compilation unit
     * @param reason    what Java says
     */
    void refused(String className, String javaText, Throwable reason);
}
