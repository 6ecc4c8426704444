/**
 * Certificates that the operator issues: two CAs for each cluster, one for members and one for what
 * clients connect to, and the certificates of these CAs in the Secret that pods are mounted.
 *
 * <p>Reading order: {@link CertificateObjects} (the Secrets and when a certificate is renewed),
 * {@link ForClients} (also with an issuer of cert-manager: {@link RequestedCertificate}), {@link
 * Issuer}, {@link CertifiedKey}; {@link GivenCertificates} checks those of users.
 *
 * <p>Imports api, resources, Fabric8's model and Bouncy Castle.
 */
@NullMarked
package dev.kvorum.operator.certificates;

import org.jspecify.annotations.NullMarked;
