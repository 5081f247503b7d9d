FROM node:24-slim

WORKDIR /app
ENV NODE_ENV=production

COPY package.json package-lock.json ./
RUN npm ci --omit=dev --no-audit --no-fund && npm cache clean --force

# Node runs TypeScript as it is: nothing is built.
COPY src ./src
COPY workers ./workers

USER node
# Operations are reached from other containers, so they ask for OPS_TOKEN; /livez and /readyz need none.
ENV OPS_HOST=0.0.0.0 OPS_PORT=3001
EXPOSE 3000 3001
CMD ["node", "--min-semi-space-size=64", "--max-semi-space-size=64", "src/main.ts"]
