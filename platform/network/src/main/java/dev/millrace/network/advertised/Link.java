package dev.millrace.network.advertised;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A stage by its name, with its partners in other applications. Changed under the lock of the registry; partners are
 * read without it.
 */
final class Link<T extends Partner>
{
    /** The latest one is the current one: two versions of an application exist during an update. */
    private final List<Offer> offers = new ArrayList<>();
    private final List<T> partners = new CopyOnWriteArrayList<>();

    List<T> partners()
    {
        return partners;
    }

    /** {@code null} if the stage is not advertised. */
    Offer current()
    {
        return offers.isEmpty() ? null : offers.get(offers.size() - 1);
    }

    void publish(final Offer offer)
    {
        offers.add(offer);
        bind();
    }

    void withdraw(final Offer offer)
    {
        // By identity: two versions may be equal.
        if (offers.removeIf(each -> each == offer))
        {
            bind();
        }
    }

    void add(final T partner)
    {
        partners.add(partner);
        partner.bind(current());
    }

    void remove(final T partner)
    {
        partners.remove(partner);
    }

    private void bind()
    {
        partners.forEach(partner -> partner.bind(current()));
    }

    boolean isUnused()
    {
        return offers.isEmpty() && partners.isEmpty();
    }
}
