package dev.millrace.server.extender;

import java.util.Set;
import org.osgi.framework.Bundle;

/**
 * The namespace bundles that an application uses or waits for. Changed by the application's thread; any thread reads
 * it.
 */
final class NamespaceUse
{
    private static final long NONE = -1;

    /** Bundles whose namespaces the last context used. */
    private volatile Set<Long> used = Set.of();

    /** Id of the missing bundle. */
    private volatile long missing = NONE;

    /** A context has read its files. */
    void used(final Set<Long> bundles)
    {
        used = bundles;
    }

    boolean isUsed(final Bundle bundle)
    {
        return used.contains(bundle.getBundleId());
    }

    /** The application waits for a bundle. */
    void misses(final Bundle bundle)
    {
        missing = bundle.getBundleId();
    }

    /** The application waits for none. */
    void missesNone()
    {
        missing = NONE;
    }

    boolean isMissing(final Bundle bundle)
    {
        return missing == bundle.getBundleId();
    }
}
