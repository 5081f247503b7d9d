# The clients as callers install them.
FROM node:24.21.0-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553 AS clients
WORKDIR /app
COPY package.json package-lock.json tsconfig.json LICENSE ./
COPY packages ./packages
RUN npm ci --ignore-scripts --no-audit --no-fund \
  && mkdir /clients \
  && node packages/client/pack.ts /clients && mv /clients/*.tgz /clients/signed-wallet-client.tgz \
  && cp LICENSE packages/client-python && tar -czf /clients/signed-wallet-client.tar.gz -C packages client-python

FROM node:24.21.0-slim@sha256:2fe369e969550cde8e867afc3fe370b260140cab4a23d467074295b42163d553

WORKDIR /app
ENV NODE_ENV=production

# No package runs a script of its own while it is installed: nothing of what the service needs is built. The packages of
# packages/ are for development.
COPY package.json package-lock.json ./
RUN npm ci --omit=dev --workspaces=false --ignore-scripts --no-audit --no-fund && npm cache clean --force

# Node runs TypeScript as it is: nothing is built.
COPY src ./src
COPY workers ./workers
# The operations page shows the runbook, and the API the guides and the clients.
COPY docs ./docs
COPY --from=clients /clients ./docs/clients

USER node
# Operations are reached from other containers, so they ask for OPS_TOKEN; /livez and /readyz need none.
ENV OPS_HOST=0.0.0.0 OPS_PORT=3001
EXPOSE 3000 3001
CMD ["node", "--min-semi-space-size=64", "--max-semi-space-size=64", "--no-allocation-site-pretenuring", "src/main.ts"]
