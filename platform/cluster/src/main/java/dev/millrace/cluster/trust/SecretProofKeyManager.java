package dev.millrace.cluster.trust;

import java.net.Socket;
import java.security.GeneralSecurityException;
import java.security.Principal;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.Arrays;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.X509ExtendedKeyManager;

/** The keys of a member's own key store, with a proof of the domain's secret appended to each chain. Thread-safe. */
final class SecretProofKeyManager extends X509ExtendedKeyManager
{
    private final X509ExtendedKeyManager store;
    private final DomainCertificate domain;

    SecretProofKeyManager(final X509ExtendedKeyManager store, final DomainCertificate domain)
    {
        this.store = store;
        this.domain = domain;
    }

    @Override
    public X509Certificate[] getCertificateChain(final String alias)
    {
        final X509Certificate[] chain = store.getCertificateChain(alias);
        if (chain == null || chain.length == 0)
        {
            return chain;
        }
        try
        {
            final X509Certificate[] proven = Arrays.copyOf(chain, chain.length + 1);
            proven[chain.length] = domain.proof(chain[0].getPublicKey());
            return proven;
        }
        catch (final GeneralSecurityException e)
        {
            throw new IllegalStateException("the proof for the certificate of this member cannot be created, alias="
                + alias, e);
        }
    }

    @Override
    public PrivateKey getPrivateKey(final String alias)
    {
        return store.getPrivateKey(alias);
    }

    @Override
    public String[] getClientAliases(final String keyType, final Principal[] issuers)
    {
        return store.getClientAliases(keyType, issuers);
    }

    @Override
    public String[] getServerAliases(final String keyType, final Principal[] issuers)
    {
        return store.getServerAliases(keyType, issuers);
    }

    @Override
    public String chooseClientAlias(final String[] keyTypes, final Principal[] issuers, final Socket socket)
    {
        return store.chooseClientAlias(keyTypes, issuers, socket);
    }

    @Override
    public String chooseServerAlias(final String keyType, final Principal[] issuers, final Socket socket)
    {
        return store.chooseServerAlias(keyType, issuers, socket);
    }

    @Override
    public String chooseEngineClientAlias(final String[] keyTypes, final Principal[] issuers, final SSLEngine engine)
    {
        return store.chooseEngineClientAlias(keyTypes, issuers, engine);
    }

    @Override
    public String chooseEngineServerAlias(final String keyType, final Principal[] issuers, final SSLEngine engine)
    {
        return store.chooseEngineServerAlias(keyType, issuers, engine);
    }
}
