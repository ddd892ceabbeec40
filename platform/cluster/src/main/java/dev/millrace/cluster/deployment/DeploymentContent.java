package dev.millrace.cluster.deployment;

import dev.millrace.server.spi.ApplicationSettings;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Content of a version of an application. Immutable.
 *
 * @param fileName  of the bundle, as used by the user
 * @param sha256    of the bundle, hexadecimal
 * @param sizeBytes of the bundle
 * @param settings  changes since the bundle was installed
 */
record DeploymentContent(String fileName, String sha256, long sizeBytes, ApplicationSettings settings)
{
    /** Size of a chunk; the last one is shorter. */
    static final int CHUNK_BYTES = 512 << 10;

    DeploymentContent
    {
        settings = settings == null ? ApplicationSettings.NONE : settings;
    }

    /** A bundle without changed settings. */
    static DeploymentContent of(final BundleFile bundle)
    {
        return new DeploymentContent(bundle.fileName(), bundle.sha256(), bundle.sizeBytes(), ApplicationSettings.NONE);
    }

    DeploymentContent withSettings(final ApplicationSettings other)
    {
        return new DeploymentContent(fileName, sha256, sizeBytes, other);
    }

    boolean hasBundleOf(final DeploymentContent other)
    {
        return sha256.equals(other.sha256) && sizeBytes == other.sizeBytes;
    }

    /** Whether both are equal apart from the file name, which an instance does not store. */
    boolean isLike(final DeploymentContent other)
    {
        return hasBundleOf(other) && settings.equals(other.settings);
    }

    /** Names of the chunks of the bundle, in order. */
    List<String> chunks()
    {
        final int count = (int)((sizeBytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
        return IntStream.range(0, count).mapToObj(i -> sha256 + '/' + sizeBytes + '/' + i).toList();
    }

    /** Size of the bundle that a chunk belongs to. */
    static long sizeOf(final String chunk)
    {
        return Long.parseLong(chunk.split("/")[1]);
    }

    /** Digest of the bundle that a chunk belongs to. */
    static String bundleOf(final String chunk)
    {
        return chunk.substring(0, chunk.lastIndexOf('/'));
    }
}
