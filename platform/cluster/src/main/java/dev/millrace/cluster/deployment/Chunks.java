package dev.millrace.cluster.deployment;

import dev.millrace.cluster.SharedBytes;
import dev.millrace.network.definition.DeploymentException;
import dev.millrace.network.definition.SourcePosition;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.util.Collection;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/** Bytes of bundles on their way from one member to all. Safe for all threads, except where it says so. */
final class Chunks
{
    /** Of all bundles; two members that put at once stay below what there is room for. */
    static final long MAX_BYTES = SharedBytes.MAX_TOTAL_BYTES / 2;

    /** Of bundles that only the history names: the youngest stay, so that one can roll back to them. */
    static final long MAX_PAST_BYTES = MAX_BYTES / 2;

    /** Chunks are put before the document that names them, so they stay for a while without one. */
    private static final long GRACE_NS = TimeUnit.MINUTES.toNanos(2);

    private final SharedBytes bytes;
    private final LongSupplier clockNs;
    private final Supplier<? extends Collection<Document>> documents;
    /** Since when nobody names a chunk; of the thread that cleans up. */
    private final Map<String, Long> unnamedSinceNs = new HashMap<>();

    Chunks(final SharedBytes bytes, final LongSupplier clockNs,
        final Supplier<? extends Collection<Document>> documents)
    {
        this.bytes = bytes;
        this.clockNs = clockNs;
        this.documents = documents;
    }

    /** Whether all bytes of a bundle are there. */
    boolean has(final Content content)
    {
        return content.chunks().stream().allMatch(bytes::contains);
    }

    /**
     * Puts what is not there yet.
     *
     * @param name of the application
     * @throws DeploymentException when there is no room; nothing was put
     */
    void put(final String name, final Content content, final Bundle bundle) throws IOException, DeploymentException
    {
        if (has(content))
        {
            return;
        }
        makeRoom(content.sizeBytes());
        refuseWithoutRoom(name, content);
        try (InputStream in = Files.newInputStream(bundle.file()))
        {
            for (final String chunk : content.chunks())
            {
                bytes.put(chunk, in.readNBytes(Content.CHUNK_BYTES));
            }
        }
    }

    private long usedBytes()
    {
        final Map<String, Long> sizes = new HashMap<>();
        bytes.names().forEach(chunk -> sizes.put(Content.bundleOf(chunk), Content.sizeOf(chunk)));
        return sizes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Bundles that only the history names give way, the oldest first. */
    private void makeRoom(final long neededBytes)
    {
        final List<Content> past = past(documents.get());
        for (int i = past.size() - 1; i >= 0 && usedBytes() + neededBytes > MAX_BYTES; i--)
        {
            past.get(i).chunks().forEach(bytes::remove);
        }
    }

    /** Different bundles that only the history names, the youngest first. */
    private static List<Content> past(final Collection<Document> all)
    {
        final List<Document> live = all.stream().filter(each -> !each.deleted()).toList();
        final Map<String, Content> found = new LinkedHashMap<>();
        live.stream().flatMap(each -> each.history().stream())
            .sorted(Comparator.comparingLong((Document.Past each) -> each.change().timeMs()).reversed())
            .filter(each -> live.stream().noneMatch(document -> document.content().hasBundleOf(each.content())))
            .forEach(each -> found.putIfAbsent(each.content().sha256(), each.content()));
        return List.copyOf(found.values());
    }

    private void refuseWithoutRoom(final String name, final Content content) throws DeploymentException
    {
        final long used = usedBytes();
        if (used + content.sizeBytes() > MAX_BYTES)
        {
            throw new DeploymentException("CLU-0206", new SourcePosition(name, 0, 0),
                "bundles of groups take too much room, usedBytes=" + used + " bundleBytes=" + content.sizeBytes() +
                " limitBytes=" + MAX_BYTES, "uninstall what is not needed, or wait two minutes: bundles that were " +
                "uninstalled count so long");
        }
    }

    /** The bytes of a bundle, which fail at their end when they are not what they should be. */
    InputStream open(final Content content)
    {
        return new ChunkInput(content, bytes);
    }

    /**
     * Removes what no document has named for some time, and the oldest of what only a history names; for one thread of
     * one member.
     */
    void clean(final Collection<Document> all)
    {
        final long nowNs = clockNs.getAsLong();
        final Set<String> named = new HashSet<>();
        all.stream().filter(each -> !each.deleted()).forEach(each -> named.addAll(each.content().chunks()));
        long pastBytes = 0;
        for (final Content past : past(all))
        {
            pastBytes += has(past) ? past.sizeBytes() : 0;
            if (pastBytes <= MAX_PAST_BYTES)
            {
                named.addAll(past.chunks());
            }
        }
        final Set<String> unnamed = bytes.names();
        unnamed.removeAll(named);
        unnamedSinceNs.keySet().retainAll(unnamed);
        for (final String chunk : unnamed)
        {
            if (nowNs - unnamedSinceNs.computeIfAbsent(chunk, first -> nowNs) > GRACE_NS)
            {
                bytes.remove(chunk);
            }
        }
    }

    /** Whether something waits for being removed. */
    boolean hasUnnamed()
    {
        return !unnamedSinceNs.isEmpty();
    }
}
