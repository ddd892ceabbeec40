package dev.millrace.network.advertised;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;

/**
 * A stage by its name, with its peers in other applications. Changed under the lock of the registry; peers are
 * read without it.
 */
final class AdvertisedStage<T extends Peer>
{
    /** The latest one is the current one: two versions of an application exist during an update. */
    private final List<Advertisement> advertisements = new ArrayList<>();
    private final List<T> peers = new CopyOnWriteArrayList<>();

    List<T> peers()
    {
        return peers;
    }

    /** {@code null} if the stage is not advertised. */
    Advertisement current()
    {
        return advertisements.isEmpty() ? null : advertisements.get(advertisements.size() - 1);
    }

    void publish(final Advertisement advertisement)
    {
        advertisements.add(advertisement);
        bind();
    }

    void withdraw(final Advertisement advertisement)
    {
        // By identity: two versions may be equal.
        if (advertisements.removeIf(each -> each == advertisement))
        {
            bind();
        }
    }

    void add(final T peer)
    {
        peers.add(peer);
        peer.bind(current());
    }

    void remove(final T peer)
    {
        peers.remove(peer);
    }

    private void bind()
    {
        peers.forEach(peer -> peer.bind(current()));
    }

    boolean isUnused()
    {
        return advertisements.isEmpty() && peers.isEmpty();
    }
}
