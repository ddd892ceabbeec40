package dev.millrace.samples.signalgeneration;

import dev.millrace.api.cache.CacheLoader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Fills the symbols cache from a text file: one symbol per line; blank lines and lines that begin with {@code #} are
 * skipped.
 *
 * <p>The whole file is read once when the application is deployed. The cache is complete then, so single keys are never
 * loaded. Failure: if the file is missing or malformed, deployment fails with file and line.
 */
public final class SymbolsCacheLoader implements CacheLoader
{
    /** The file in the bundle that is read when no path is set. */
    public static final String DEFAULT_RESOURCE = "symbols.txt";

    /** Maximum number of symbols. */
    public static final int MAX_SYMBOLS = 100_000;

    private static final int MAX_SYMBOL_CHARS = 16;

    private String path = "";

    /**
     * Sets the file to read.
     *
     * @param path absolute, or relative to the domain directory; empty for the file in the bundle
     */
    public void setPath(final String path)
    {
        this.path = path == null ? "" : path.strip();
    }

    @Override
    public Object load(final Object key)
    {
        return null;
    }

    @Override
    public Map<Object, Object> loadAll(final Collection<?> keys)
    {
        return Map.of();
    }

    @Override
    public boolean loadsEverything()
    {
        return true;
    }

    @Override
    public Map<Object, Object> loadAll() throws IOException
    {
        if (path.isEmpty())
        {
            try (InputStream in = SymbolsCacheLoader.class.getResourceAsStream(DEFAULT_RESOURCE))
            {
                if (in == null)
                {
                    throw new IOException("symbols file is missing in the bundle, file=" + DEFAULT_RESOURCE);
                }
                return read(DEFAULT_RESOURCE, in);
            }
        }
        final Path file = Path.of(System.getProperty("wlevs.domain.home", "")).resolve(path).toAbsolutePath();
        if (!Files.isRegularFile(file))
        {
            throw new IOException("symbols file is missing, file=" + file +
                "; create it with one symbol per line, or correct property path of the cache loader");
        }
        try (InputStream in = Files.newInputStream(file))
        {
            return read(file.toString(), in);
        }
    }

    private static Map<Object, Object> read(final String file, final InputStream in) throws IOException
    {
        final Map<Object, Object> symbols = new LinkedHashMap<>();
        final BufferedReader reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
        int line = 0;
        for (String text = reader.readLine(); text != null; text = reader.readLine())
        {
            line++;
            final String symbol = text.strip();
            if (symbol.isEmpty() || symbol.startsWith("#"))
            {
                continue;
            }
            check(file, line, symbol);
            if (symbols.put(symbol, new MonitoredSymbol(symbol)) != null)
            {
                throw malformed(file, line, "symbol occurs twice, symbol=" + symbol);
            }
            if (symbols.size() > MAX_SYMBOLS)
            {
                throw malformed(file, line, "too many symbols, limit=" + MAX_SYMBOLS);
            }
        }
        if (symbols.isEmpty())
        {
            throw malformed(file, line, "no symbol in the file");
        }
        return symbols;
    }

    private static void check(final String file, final int line, final String symbol) throws IOException
    {
        if (symbol.length() > MAX_SYMBOL_CHARS)
        {
            throw malformed(file, line, "symbol is too long, chars=" + symbol.length() + " limit=" + MAX_SYMBOL_CHARS);
        }
        for (int i = 0; i < symbol.length(); i++)
        {
            final char c = symbol.charAt(i);
            if (c <= ' ' || c == ',' || c == '"' || c == 0xFFFD || Character.isISOControl(c))
            {
                throw malformed(file, line, "character not allowed in a symbol, position=" + (i + 1) +
                    " code=" + (int)c);
            }
        }
    }

    private static IOException malformed(final String file, final int line, final String what)
    {
        return new IOException("symbols file is malformed, file=" + file + " line=" + line + ": " + what +
            "; write one symbol per line, without commas and quotes");
    }
}
