package dev.millrace.cluster.deployment;

import com.google.gson.Gson;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.stream.IntStream;

/**
 * What a group is to have deployed under one name. Immutable. Rules and settings that a group changes while an
 * application runs are to become further parts of it.
 *
 * @param name      symbolic name
 * @param group     whose members it is for
 * @param version   one more with each change, also beyond an uninstall
 * @param fileName  of the bundle, as the user called it
 * @param sha256    of the bundle, hexadecimal
 * @param sizeBytes of the bundle
 * @param suspended whether it is to stand still
 * @param deleted   whether it is to be gone; stays, so that a member that was away does not bring it back
 * @param changedBy member that took the change
 */
record Document(String name, String group, long version, String fileName, String sha256, long sizeBytes,
    boolean suspended, boolean deleted, String changedBy)
{
    /** Of a chunk; the last one is shorter. */
    static final int CHUNK_BYTES = 512 << 10;

    private static final Gson GSON = new Gson();

    static Document of(final byte[] json)
    {
        return GSON.fromJson(new String(json, StandardCharsets.UTF_8), Document.class);
    }

    byte[] json()
    {
        return GSON.toJson(this).getBytes(StandardCharsets.UTF_8);
    }

    /** Names of the chunks of the bundle, in order. */
    List<String> chunks()
    {
        final int count = (int)((sizeBytes + CHUNK_BYTES - 1) / CHUNK_BYTES);
        return IntStream.range(0, count).mapToObj(i -> sha256 + '/' + sizeBytes + '/' + i).toList();
    }

    /** The bundle that a chunk belongs to is this large. */
    static long sizeOf(final String chunk)
    {
        return Long.parseLong(chunk.split("/")[1]);
    }

    /** The bundle that a chunk belongs to. */
    static String bundleOf(final String chunk)
    {
        return chunk.substring(0, chunk.lastIndexOf('/'));
    }

    /** With another bundle. */
    Document withBundle(final Bundle bundle, final String member)
    {
        return new Document(name, group, version + 1, bundle.fileName(), bundle.sha256(), bundle.sizeBytes(), suspended,
            false, member);
    }

    Document withSuspended(final boolean standing, final String member)
    {
        return new Document(
            name, group, version + 1, fileName, sha256, sizeBytes, standing, deleted, member);
    }

    Document asDeleted(final String member)
    {
        return new Document(name, group, version + 1, fileName, sha256, sizeBytes, false, true, member);
    }
}
