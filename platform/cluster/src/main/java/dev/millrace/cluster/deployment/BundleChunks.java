package dev.millrace.cluster.deployment;

import dev.millrace.cluster.ReplicatedBlobStore;
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

/** Bundles in transfer from one member to all others, in chunks. Thread-safe, except where noted. */
final class BundleChunks
{
    /** Maximum size of all bundles. Two members that put at the same time stay below the capacity of the store. */
    static final long MAX_BYTES = ReplicatedBlobStore.MAX_TOTAL_BYTES / 2;

    /** Maximum size of bundles that only a history refers to: the most recent ones are kept for rollback. */
    static final long MAX_PAST_BYTES = MAX_BYTES / 2;

    /** Chunks are stored before the document that refers to them, so unreferenced chunks are kept for some time. */
    private static final long GRACE_NS = TimeUnit.MINUTES.toNanos(2);

    private final ReplicatedBlobStore bytes;
    private final LongSupplier clockNs;
    private final Supplier<? extends Collection<DesiredDeployment>> documents;
    /** Time since when a chunk is unreferenced; confined to the cleaning thread. */
    private final Map<String, Long> unnamedSinceNs = new HashMap<>();

    BundleChunks(final ReplicatedBlobStore bytes, final LongSupplier clockNs,
        final Supplier<? extends Collection<DesiredDeployment>> documents)
    {
        this.bytes = bytes;
        this.clockNs = clockNs;
        this.documents = documents;
    }

    /** Whether all bytes of a bundle are stored. */
    boolean has(final DeploymentContent content)
    {
        return content.chunks().stream().allMatch(bytes::contains);
    }

    /**
     * Stores the missing chunks of a bundle.
     *
     * @param name of the application
     * @throws DeploymentException when the capacity is exceeded; nothing was stored
     */
    void put(final String name, final DeploymentContent content, final BundleFile bundle) throws IOException,
        DeploymentException
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
                bytes.put(chunk, in.readNBytes(DeploymentContent.CHUNK_BYTES));
            }
        }
    }

    private long usedBytes()
    {
        final Map<String, Long> sizes = new HashMap<>();
        bytes.names().forEach(chunk -> sizes.put(DeploymentContent.bundleOf(chunk), DeploymentContent.sizeOf(chunk)));
        return sizes.values().stream().mapToLong(Long::longValue).sum();
    }

    /** Removes bundles that only a history refers to, oldest first, until the given size fits. */
    private void makeRoom(final long neededBytes)
    {
        final List<DeploymentContent> past = past(documents.get());
        for (int i = past.size() - 1; i >= 0 && usedBytes() + neededBytes > MAX_BYTES; i--)
        {
            past.get(i).chunks().forEach(bytes::remove);
        }
    }

    /** Distinct bundles that only a history refers to, most recent first. */
    private static List<DeploymentContent> past(final Collection<DesiredDeployment> all)
    {
        final List<DesiredDeployment> live = all.stream().filter(each -> !each.deleted()).toList();
        final Map<String, DeploymentContent> found = new LinkedHashMap<>();
        live.stream().flatMap(each -> each.history().stream())
            .sorted(Comparator.comparingLong((DesiredDeployment.Past each) -> each.change().timeMs()).reversed())
            .filter(each -> live.stream().noneMatch(document -> document.content().hasBundleOf(each.content())))
            .forEach(each -> found.putIfAbsent(each.content().sha256(), each.content()));
        return List.copyOf(found.values());
    }

    private void refuseWithoutRoom(final String name, final DeploymentContent content) throws DeploymentException
    {
        final long used = usedBytes();
        if (used + content.sizeBytes() > MAX_BYTES)
        {
            throw new DeploymentException("CLU-0206", new SourcePosition(name, 0, 0),
                "bundles of groups exceed the limit, usedBytes=" + used + " bundleBytes=" + content.sizeBytes() +
                " limitBytes=" + MAX_BYTES, "uninstall applications that are not needed, or wait two minutes: "
                    + "uninstalled bundles " +
                "count that long");
        }
    }

    /** Opens a bundle. Reading fails at the end if the digest does not match. */
    InputStream open(final DeploymentContent content)
    {
        return new ChunkInput(content, bytes);
    }

    /**
     * Removes chunks that no document has referred to for some time, and the oldest bundles that only a history refers
     * to. Runs on one thread of one member.
     */
    void clean(final Collection<DesiredDeployment> all)
    {
        final long nowNs = clockNs.getAsLong();
        final Set<String> named = new HashSet<>();
        all.stream().filter(each -> !each.deleted()).forEach(each -> named.addAll(each.content().chunks()));
        long pastBytes = 0;
        for (final DeploymentContent past : past(all))
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

    /** Whether chunks wait to be removed. */
    boolean hasUnnamed()
    {
        return !unnamedSinceNs.isEmpty();
    }
}
