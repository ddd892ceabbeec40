package dev.millrace.tuning.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;

/** A PostgreSQL server from its own programs. Needs a library that is not part of the distribution. */
final class PostgresServer
{
    /** Longer than the library waits, because the machine may be loaded. */
    private static final Duration START_WAIT = Duration.ofSeconds(90);

    private PostgresServer()
    {
    }

    /** As root, the library runs it in a separate user namespace. */
    static StoreServer start() throws IOException
    {
        final Path directory = StoreServer.newDirectory();
        final EmbeddedPostgres server = EmbeddedPostgres.builder().setPGStartupWait(START_WAIT)
            .setOverrideWorkingDirectory(directory.toFile()).setDataDirectory(directory.resolve("data")).start();
        return new StoreServer(directory, server.getPostgresDatabase(), null, server::close);
    }
}
