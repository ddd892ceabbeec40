package dev.millrace.cql.compiler;

/**
 * Names of generated classes. A name follows from the text and from nothing else, so that rules which were compiled
 * before, in another order or by another process, are found again under it. Classes of one name have loaders of their
 * own, so that it does no harm when two texts get the same.
 */
public final class GeneratedName
{
    private GeneratedName()
    {
    }

    /**
     * The name of a class.
     *
     * @param javaText text in which a name stands that is common to all texts
     * @param anyName  that name
     * @return the name that is to be put in its place
     */
    public static String of(final String javaText, final String anyName)
    {
        return anyName + '_' + Integer.toHexString(javaText.hashCode());
    }
}
