package dev.millrace.cluster.deployment;

import com.google.gson.Gson;
import com.google.gson.GsonBuilder;
import com.google.gson.JsonParseException;
import dev.millrace.server.files.DomainFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * {@code cluster/deployments.json} of the domain: the documents that this member follows, written before it does, so
 * that it knows after a crash which applications belong to a group, and can tell the others when it is the first to
 * come back. Every change is a new file that takes the old one's place in one step. Changed by one thread, read by all.
 */
final class FollowedFile
{
    private static final Logger LOG = LoggerFactory.getLogger(FollowedFile.class);

    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

    private final DomainFiles files;
    private final Path file;
    private final Map<String, Document> documents = new ConcurrentSkipListMap<>();

    FollowedFile(final DomainFiles files, final Path file)
    {
        this.files = files;
        this.file = file;
    }

    /**
     * Reads it.
     *
     * @throws IOException when it is there and cannot be read, or is not what was written
     */
    void read() throws IOException
    {
        if (!Files.exists(file))
        {
            return;
        }
        try
        {
            for (final Document each : GSON.fromJson(Files.readString(file), Document[].class))
            {
                documents.put(each.name(), each);
            }
            LOG.debug("follows {}", documents);
        }
        catch (final JsonParseException | NullPointerException e)
        {
            throw new IOException("not a list of deployments, file=" + file, e);
        }
    }

    List<Document> all()
    {
        return List.copyOf(documents.values());
    }

    /** What is followed under a name and not deleted. */
    Optional<Document> live(final String name)
    {
        return Optional.ofNullable(documents.get(name)).filter(each -> !each.deleted());
    }

    /** Follows a document; true when it is another one than before. When it cannot be written, nothing has changed. */
    boolean put(final Document document) throws IOException
    {
        final Document before = documents.put(document.name(), document);
        if (document.equals(before))
        {
            return false;
        }
        try
        {
            write();
            return true;
        }
        catch (final IOException e)
        {
            if (before == null)
            {
                documents.remove(document.name());
            }
            else
            {
                documents.put(document.name(), before);
            }
            throw e;
        }
    }

    private void write() throws IOException
    {
        files.createDirectories(file.getParent());
        files.replace(file, GSON.toJson(all()));
    }
}
