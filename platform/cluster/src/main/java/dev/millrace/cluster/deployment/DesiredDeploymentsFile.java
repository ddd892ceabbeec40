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
 * {@code cluster/deployments.json} of the domain: the documents that this member applies, written before they are
 * applied. After a crash, the member knows which applications belong to a group, and can publish their documents if it
 * is the first member to restart. Every change writes a new file and renames it atomically. Written by one thread, read
 * by any thread.
 */
final class DesiredDeploymentsFile
{
    private static final Logger LOG = LoggerFactory.getLogger(DesiredDeploymentsFile.class);

    private static final Gson GSON = new GsonBuilder().setPrettyPrinting().create();

    private final DomainFiles files;
    private final Path file;
    private final Map<String, DesiredDeployment> documents = new ConcurrentSkipListMap<>();

    DesiredDeploymentsFile(final DomainFiles files, final Path file)
    {
        this.files = files;
        this.file = file;
    }

    /**
     * Reads the file.
     *
     * @throws IOException when it exists and cannot be read or is invalid
     */
    void read() throws IOException
    {
        if (!Files.exists(file))
        {
            return;
        }
        try
        {
            for (final DesiredDeployment each : GSON.fromJson(Files.readString(file), DesiredDeployment[].class))
            {
                documents.put(each.name(), each);
            }
            LOG.debug("desired deployments of this member: {}", documents);
        }
        catch (final JsonParseException | NullPointerException e)
        {
            throw new IOException("invalid list of deployments, file=" + file, e);
        }
    }

    List<DesiredDeployment> all()
    {
        return List.copyOf(documents.values());
    }

    /** The document of a name if it is applied and not deleted. */
    Optional<DesiredDeployment> live(final String name)
    {
        return Optional.ofNullable(documents.get(name)).filter(each -> !each.deleted());
    }

    /**
     * Stores a document.
     *
     * @return whether it differs from the previous one
     * @throws IOException when it cannot be written; nothing has changed
     */
    boolean put(final DesiredDeployment document) throws IOException
    {
        final DesiredDeployment before = documents.put(document.name(), document);
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
