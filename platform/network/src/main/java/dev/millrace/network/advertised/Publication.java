package dev.millrace.network.advertised;

import java.util.List;

/**
 * A stage that is advertised. Immutable.
 *
 * @param <T>  what other applications connect with it
 * @param link the connection
 */
record Publication<T extends Partner>(Link<T> link, Offer offer)
{
    /** Its current partners; may change at any time. */
    List<T> partners()
    {
        return link.partners();
    }
}
