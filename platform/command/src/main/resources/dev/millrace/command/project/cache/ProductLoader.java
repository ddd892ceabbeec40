package @package@;

import dev.millrace.api.cache.CacheLoader;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Fills the cache from the file products.csv of the bundle. Replace the file by your database. */
public final class ProductLoader implements CacheLoader
{
    private static final String FILE = "/products.csv";

    /** Called once, before the first event; an exception fails the deployment with its message. */
    @Override
    public Map<Object, Object> loadAll() throws IOException
    {
        try (BufferedReader lines = new BufferedReader(
            new InputStreamReader(ProductLoader.class.getResourceAsStream(FILE), StandardCharsets.UTF_8)))
        {
            return products(lines.lines().toList());
        }
    }

    /** Parses lines of id, name and price; the first line contains the names of the columns. */
    static Map<Object, Object> products(final List<String> lines)
    {
        final Map<Object, Object> products = new LinkedHashMap<>();
        for (int i = 1; i < lines.size(); i++)
        {
            final String[] values = lines.get(i).split(",");
            if (values.length != 3)
            {
                throw new IllegalArgumentException("not a product, file=" + FILE + " line=" + (i + 1));
            }
            final Product product = new Product();
            product.setId(values[0]);
            product.setName(values[1]);
            product.setPrice(Double.parseDouble(values[2]));
            products.put(product.getId(), product);
        }
        return products;
    }

    /** The file has all products, so keys that are missing need not be loaded. */
    @Override
    public boolean loadsEverything()
    {
        return true;
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
}
