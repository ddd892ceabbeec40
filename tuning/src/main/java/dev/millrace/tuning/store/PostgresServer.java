package dev.millrace.tuning.store;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.IOException;
import java.nio.file.Path;

/** A PostgreSQL server from its own programs. Needs a library that is not part of the distribution. */
final class PostgresServer
{
    private PostgresServer()
    {
    }

    /** As root, the library runs it in a separate user namespace. */
    static StoreServer start() throws IOException
    {
        final Path directory = StoreServer.newDirectory();
        final EmbeddedPostgres server = EmbeddedPostgres.builder().setOverrideWorkingDirectory(directory.toFile())
            .setDataDirectory(directory.resolve("data")).start();
        return new StoreServer(directory, server.getPostgresDatabase(), null, server::close);
    }
}
