package dev.millrace.command.demo;

import dev.millrace.command.cli.CommandException;
import dev.millrace.command.cli.ExitCode;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;

/**
 * The input and the watched symbols, read from the files themselves.
 *
 * @param ticks   rows of the data file
 * @param watched symbols in the bundle of the sample
 */
public record TickFile(List<Tick> ticks, Set<String> watched)
{
    private static final String SYMBOLS = "/symbols.txt";

    /** One row: symbol and last price. */
    public record Tick(String symbol, double price)
    {
    }

    /**
     * Reads both files.
     *
     * @param ticks  data file
     * @param bundle bundle of the sample
     * @throws IOException when a file cannot be read
     */
    public static TickFile read(final Path ticks, final Path bundle) throws IOException
    {
        final List<Tick> rows = new ArrayList<>();
        for (final String line : Files.readAllLines(ticks))
        {
            final int comma = line.indexOf(',');
            rows.add(new Tick(line.substring(0, comma), Double.parseDouble(line.substring(comma + 1))));
        }
        return new TickFile(List.copyOf(rows), readSymbols(bundle));
    }

    private static Set<String> readSymbols(final Path bundle) throws IOException
    {
        final Set<String> symbols = new HashSet<>();
        try (ZipFile zip = new ZipFile(bundle.toFile()))
        {
            final ZipEntry entry = zip.stream().map(ZipEntry.class::cast)
                .filter(candidate -> candidate.getName().endsWith(SYMBOLS)).findFirst()
                .orElseThrow(() -> new CommandException(
                    ExitCode.FAILED, "CMD-0140", "no symbols in the sample, file=" + bundle + " entry=*" + SYMBOLS,
                    "build the product again"));
            try (InputStream in = zip.getInputStream(entry);
                BufferedReader lines = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8)))
            {
                lines.lines().map(String::strip).filter(line -> !line.isEmpty() && !line.startsWith("#"))
                    .forEach(symbols::add);
            }
        }
        return Set.copyOf(symbols);
    }
}
