package dev.millrace.adapter.file;

import dev.millrace.adapter.common.encode.CsvFormat;
import dev.millrace.adapter.common.encode.JsonFormat;
import dev.millrace.adapter.file.inbound.FileSource;
import dev.millrace.adapter.file.line.ConsoleSink;
import dev.millrace.adapter.file.line.LogSink;
import dev.millrace.adapter.file.line.NullSink;
import dev.millrace.adapter.file.outbound.FileSink;
import dev.millrace.adapter.file.outbound.ParquetSink;
import dev.millrace.api.stage.AdapterFactory;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.util.Dictionary;
import java.util.Hashtable;
import org.osgi.framework.BundleActivator;
import org.osgi.framework.BundleContext;

/** Registers the adapter factories of this bundle as services. */
public final class Activator implements BundleActivator
{
    @Override
    public void start(final BundleContext context)
    {
        register(context, "csv-inbound", () -> new FileSource(FileSource.Format.CSV));
        register(context, "file-inbound", () -> new FileSource(FileSource.Format.JSON));
        register(context, "parquet-inbound", () -> new FileSource(FileSource.Format.PARQUET));
        register(context, "csv-outbound", () -> new FileSink(new CsvFormat()));
        register(context, "file-outbound", () -> new FileSink(new JsonFormat()));
        register(context, "parquet-outbound", ParquetSink::new);
        register(context, "log-outbound", () -> new LogSink(System::nanoTime));
        register(context, "console-outbound",
            () -> new ConsoleSink(new FileOutputStream(FileDescriptor.out), System::nanoTime));
        register(context, "null-outbound", NullSink::new);
    }

    private static void register(final BundleContext context, final String provider, final AdapterFactory factory)
    {
        final Dictionary<String, Object> properties = new Hashtable<>();
        properties.put(AdapterFactory.PROVIDER_PROPERTY, provider);
        context.registerService(AdapterFactory.class, factory, properties);
    }

    @Override
    public void stop(final BundleContext context)
    {
        // The framework unregisters the services; adapters end with their applications.
    }
}
